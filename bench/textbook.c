/* Baccarat simulated the way textbooks do it: shuffle a shoe, deal it, count.
 *
 *     gcc -O3 -march=native -o textbook bench/textbook.c
 *     ./textbook SHOES SEED > histogram
 *
 * Eight decks, one card exposed and its value burned, the cut card 14 cards from
 * the end, the round in which it comes out the last one. For every round it counts
 * the points of both sides, who drew a third card, and both pairs. The shuffle is
 * Fisher and Yates's with a fast generator and unbiased draws, so that the
 * program is as quick as plain C gets.
 *
 * The histogram goes to the output, rounds and processor seconds to the errors.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define DECKS 8
#define CARDS (52 * DECKS)
#define BEHIND_CUT 14
#define CELLS 4096

/* --- random numbers: xoshiro256++ by Blackman and Vigna, seeded by splitmix64 --------------- */

static uint64_t state[4];

static uint64_t rotated(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

static uint64_t word(void)
{
    uint64_t result = rotated(state[0] + state[3], 23) + state[0];
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotated(state[3], 45);
    return result;
}

static void seed(uint64_t from)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = from += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        state[i] = z ^ (z >> 31);
    }
}

/* A number below the bound, each equally likely (Lemire). */
static uint32_t below(uint32_t bound)
{
    uint64_t product = (word() >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t unfair = -bound % bound;
        while ((uint32_t)product < unfair)
            product = (word() >> 32) * bound;
    }
    return product >> 32;
}

/* --- baccarat ------------------------------------------------------------------------------- */

static const uint8_t POINTS[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};

/* The Banker draws at or below these points, by the Player's third card. */
static const uint8_t BANKER_DRAWS_TO[10] = {3, 3, 4, 4, 5, 5, 6, 6, 2, 3};

static uint8_t shoe[CARDS];
static uint64_t histogram[CELLS];

static void shuffle(void)
{
    for (int i = CARDS - 1; i > 0; i--) {
        int j = below(i + 1);
        uint8_t card = shoe[i];
        shoe[i] = shoe[j];
        shoe[j] = card;
    }
}

/* Deals one round from the place given, and returns the place after it. */
static int deal(int at)
{
    int p1 = shoe[at], b1 = shoe[at + 1], p2 = shoe[at + 2], b2 = shoe[at + 3];
    int player = (POINTS[p1] + POINTS[p2]) % 10, banker = (POINTS[b1] + POINTS[b2]) % 10;
    int player_drew = 0, banker_drew = 0;
    at += 4;
    if (player < 8 && banker < 8) {
        int draws_to = 5;
        if (player <= 5) {
            int third = POINTS[shoe[at++]];
            player = (player + third) % 10;
            player_drew = 1;
            draws_to = BANKER_DRAWS_TO[third];
        }
        if (banker <= draws_to) {
            banker = (banker + POINTS[shoe[at++]]) % 10;
            banker_drew = 1;
        }
    }
    int drawn = player_drew | banker_drew << 1, pairs = (p1 == p2) << 2 | (b1 == b2) << 3;
    histogram[(drawn | pairs) << 8 | player << 4 | banker]++;
    return at;
}

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "usage: textbook SHOES SEED\n");
        return 2;
    }
    long shoes = atol(words[1]);
    seed(strtoull(words[2], NULL, 10));
    for (int i = 0; i < CARDS; i++)
        shoe[i] = i % 13;
    uint64_t rounds = 0;
    clock_t began = clock();
    for (long i = 0; i < shoes; i++) {
        shuffle();
        int burned = POINTS[shoe[0]] ? POINTS[shoe[0]] : 10;
        int at = 1 + burned;
        while (at <= CARDS - BEHIND_CUT) {
            at = deal(at);
            rounds++;
        }
    }
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    for (int i = 0; i < CELLS; i++)
        printf("%llu\n", (unsigned long long)histogram[i]);
    fprintf(stderr, "%llu %.6f\n", (unsigned long long)rounds, seconds);
    return 0;
}
