/** The page: takes a file, has it verified, and shows what was found. It never asks the network. */

import { parseAnchor } from "./lib/anchor.js";
import { unhex } from "./lib/bytes.js";
import { verifyPack } from "./lib/pack.js";
import { language } from "./lib/language.js";
import { tongues } from "./lib/page.js";
import { effect, untracked } from "./lib/reactive.js";
import { Refusal } from "./lib/refusal.js";
import { part } from "./lib/refused.js";
import { make, result } from "./view.js";
import { speaker } from "./words.js";

const by = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const KNOWN = ["anchors", "keys", "commitments", "seeds", "books"];
/** @type {File | null} */
let chosen = null;
/** @type {any} */
let texts = null;
/** @type {ReturnType<typeof speaker>} */
let words;
/** What is shown, so that it can be told in another language. @type {any[] | null} */
let shown = null;

/** @param {string} path @returns {string} */
function text(path) {
  return path.split(".").reduce((/** @type {any} */ inside, name) => inside[name], texts);
}

/**
 * What somebody typed in a field, line by line.
 * @param {string} id @param {(line: string) => any} read
 */
function typed(id, read) {
  const lines = by(id)
    .value.split("\n")
    .map((/** @type {string} */ line) => line.trim());
  return lines.filter(Boolean).map((/** @type {string} */ line) => {
    const found = read(line);
    if (found === null) {
      throw new Refusal("page/unread", { what: text(`page.${id}`), text: line });
    }
    return found;
  });
}

/** @param {string} line @returns {import("./lib/anchor.js").Anchor | null} */
function anchor(line) {
  try {
    return parseAnchor(line);
  } catch {
    return null;
  }
}

/** @param {string} line @returns {Uint8Array | null} */
function hash(line) {
  const bytes = unhex(line.toLowerCase().replace(/\s/g, ""));
  return bytes?.length === 32 ? bytes : null;
}

function known() {
  by("unread").textContent = "";
  try {
    return {
      anchors: typed("anchors", anchor),
      keys: typed("keys", hash),
      commitments: typed("commitments", hash),
      seeds: typed("seeds", hash),
      books: typed("books", hash),
    };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    by("unread").textContent = words.say(texts.page.unread, refusal.params);
    return null;
  }
}

async function check() {
  const file = chosen;
  const held = known();
  if (file === null || held === null) return;
  const say = (/** @type {string} */ sentence) => {
    by("status").textContent = sentence;
  };
  say(words.say(texts.page.checking, { name: file.name }));
  // Let the sentence appear before the work begins.
  await new Promise((resolve) => {
    setTimeout(resolve, 30);
  });
  try {
    const began = performance.now();
    const verdict = await verifyPack(new Uint8Array(await file.arrayBuffer()), held);
    const ms = Math.max(1, Math.round(performance.now() - began));
    if (file !== chosen) return;
    const failed = verdict.findings.find(({ code }) => code === "pack/failed");
    if (failed) throw new Error(String(failed.details.why));
    shown = [verdict, { name: file.name, size: file.size, ms }];
    show();
    say("");
    by("verdict").focus();
  } catch (error) {
    // A fault of ours must never look like a fault of the pack.
    shown = null;
    by("result").hidden = true;
    say(words.say(texts.page.failed, { why: error instanceof Error ? error.message : "?" }));
    throw error;
  }
}

/** @param {FileList | null | undefined} files */
function take(files) {
  if (!files || files.length === 0) return;
  chosen = files[0];
  check();
}

/** What was found, if anything was looked at. */
function show() {
  by("choose").textContent = shown === null ? texts.page.choose : texts.page.again;
  if (shown === null) return;
  const [verdict, file] = shown;
  by("result").replaceChildren(result(verdict, file, texts, words));
  by("result").hidden = false;
  document.querySelector(".intake")?.classList.add("small");
}

/** Say everything in a language. @param {string} code */
async function tellIn(code) {
  texts = (await part(() => import(`./texts/${code}.js`))).texts;
  words = speaker(texts);
  document.documentElement.lang = code;
  document.title = `${texts.page.title} · cutcard`;
  for (const one of document.querySelectorAll("[data-text]")) {
    one.textContent = text(String(one.getAttribute("data-text")));
  }
  by("path").replaceChildren(
    ...texts.path.map((/** @type {[string, string]} */ [name, what]) => {
      return make("li", {}, make("strong", {}, name), " ", make("span", {}, what));
    }),
  );
  show();
}

function wake() {
  document.querySelector(".top")?.append(tongues());
  by("asleep").hidden = true;
  by("awake").hidden = false;

  by("file").addEventListener("change", () => {
    take(by("file").files);
    // The same file may be chosen once more.
    by("file").value = "";
  });
  for (const id of KNOWN) by(id).addEventListener("change", check);
  // A file dropped beside the zone would replace the page.
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    by("zone").classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) by("zone").classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    by("zone").classList.remove("over");
    take(event.dataTransfer?.files);
  });
}

await tellIn(language());
wake();
effect(() => {
  const code = language();
  if (code !== texts.language) untracked(() => tellIn(code));
});
