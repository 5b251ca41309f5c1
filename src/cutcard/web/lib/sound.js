// @ts-check
/** Sounds, made here from plain tones and noise; each channel has its own volume. */

import { signal } from "./reactive.js";
import { store, stored } from "./language.js";

/** @type {AudioContext | null} */ let context = null;
export const volumes = {
  effects: signal(Number(stored("volume.effects") ?? 0.5)),
  voice: signal(Number(stored("volume.voice") ?? 0.5)),
};

/** @param {keyof typeof volumes} channel @param {number} value */
export function setVolume(channel, value) {
  volumes[channel](value);
  store(`volume.${channel}`, String(value));
}

function ready() {
  // A browser lets nothing sound before somebody has touched the page.
  if (!navigator.userActivation?.hasBeenActive) return null;
  if (context === null && "AudioContext" in window) context = new AudioContext();
  if (context?.state === "suspended") context.resume();
  return context;
}

/** @param {number} frequency @param {number} length @param {number} loud */
function tone(frequency, length, loud, /** @type {OscillatorType} */ kind = "sine", after = 0) {
  const audio = ready();
  if (audio === null || loud <= 0) return;
  const source = audio.createOscillator(), gain = audio.createGain(), at = audio.currentTime + after;
  source.type = kind;
  source.frequency.value = frequency;
  gain.gain.setValueAtTime(loud * 0.2, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

/** A rush of noise, as of a card on felt. @param {number} length @param {number} loud */
function rush(length, loud) {
  const audio = ready();
  if (audio === null || loud <= 0) return;
  const size = Math.floor(audio.sampleRate * length), buffer = audio.createBuffer(1, size, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < size; place += 1) samples[place] = (Math.random() * 2 - 1) * (1 - place / size) ** 3;
  const source = audio.createBufferSource(), gain = audio.createGain(), filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 2600;
  gain.gain.value = loud * 0.25;
  source.buffer = buffer;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start();
}

const loud = () => volumes.effects();
export const sounds = {
  chip: () => { tone(1900, 0.05, loud(), "triangle"); tone(2500, 0.04, loud() * 0.6, "triangle", 0.03); },
  card: () => rush(0.13, loud()),
  tick: () => tone(880, 0.06, loud() * 0.7, "square"),
  close: () => tone(440, 0.25, loud(), "triangle"),
  win: () => [523, 659, 784].forEach((one, place) => tone(one, 0.3, loud(), "sine", place * 0.12)),
  refuse: () => tone(160, 0.2, loud(), "sawtooth"),
};

/** Say a sentence aloud, where the browser can; it is always written too. @param {string} text @param {string} language */
export function say(text, language) {
  if (volumes.voice() <= 0 || !("speechSynthesis" in window) || !navigator.userActivation?.hasBeenActive) return;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = { en: "en-GB", "zh-Hans": "zh-CN", "zh-Hant": "zh-HK" }[language] ?? language;
  said.volume = volumes.voice();
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
