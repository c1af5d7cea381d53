#include "io/text_draw.h"

#include "core/pick.h"

#include <stdbool.h>

/* Words by number: of one, of many. */
typedef const char *const words[2];
static words nouns[] = {{"king", "kings"},     {"queen", "queens"},   {"sailor", "sailors"}, {"horse", "horses"},
                        {"garden", "gardens"}, {"letter", "letters"}, {"river", "rivers"},   {"child", "children"}};
static words verbs[] = {{"sees", "see"},       {"follows", "follow"}, {"hears", "hear"}, {"fears", "fear"},
                        {"forgets", "forget"}, {"guards", "guard"},   {"finds", "find"}, {"loves", "love"}};
static words determiners[] = {{"the", "the"}, {"one", "two"}, {"this", "these"}, {"every", "all"}};
static const char *const adjectives[] = {"old", "quiet", "golden", "young", "proud", "weary"};
static const char *const adverbs[] = {"today", "at night", "again", "without a word", "once more"};
static const char *const speakers[] = {"Anna", "Boris", "Clara", "Diego", "Emil"};

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

typedef struct drawing {
    uint32_t seed, n_drawn;
    size_t n, room;
    char *text;
    bool begins; /* the next letter begins a sentence */
} drawing;

static int draw(drawing *d, int n)
{
    return sb_pick(d->seed, d->n_drawn++, 0, 0, n - 1);
}

static void put(drawing *d, const char *word)
{
    for (; *word && d->n < d->room; word++) {
        const bool is_small = *word >= 'a' && *word <= 'z';
        d->text[d->n++] = d->begins && is_small ? (char)(*word - 'a' + 'A') : *word;
        d->begins = false;
    }
}

static void put_verb(drawing *d, bool many);

/* "the old king that the sailors fear": its number is chosen before. */
static void put_subject(drawing *d, bool many, int depth)
{
    put(d, determiners[draw(d, COUNT(determiners))][many]);
    put(d, " ");
    if (draw(d, 2) == 0) put(d, adjectives[draw(d, COUNT(adjectives))]), put(d, " ");
    put(d, nouns[draw(d, COUNT(nouns))][many]);
    if (depth == 0 || draw(d, 3) > 0) return;
    const bool of_clause = draw(d, 2);
    put(d, " that ");
    put_subject(d, of_clause, depth - 1);
    put_verb(d, of_clause);
}

static void put_verb(drawing *d, bool many)
{
    put(d, " ");
    put(d, verbs[draw(d, COUNT(verbs))][many]);
}

static void put_sentence(drawing *d)
{
    const bool many = draw(d, 2);
    const int form = draw(d, 4);
    d->begins = true;
    put_subject(d, many, 2);
    put_verb(d, many);
    put(d, " ");
    put_subject(d, draw(d, 2), 1);
    if (form > 1) put(d, " "), put(d, adverbs[draw(d, COUNT(adverbs))]);
    put(d, form == 0 ? "!" : ".");
}

/* One speaker's turn; returns who speaks next: the one who was spoken of, or any. */
static int put_turn(drawing *d, int speaker)
{
    const int other = draw(d, COUNT(speakers)), n = 1 + draw(d, 3);
    put(d, speakers[speaker]);
    put(d, ":\n");
    for (int i = 0; i < n; i++) put_sentence(d), put(d, i + 1 < n ? " " : "\n");
    if (draw(d, 2) == 0) {
        put(d, speakers[other]);
        put(d, " said: \"");
        put_sentence(d);
        put(d, "\"\n");
    }
    put(d, "\n");
    return other;
}

void sb_text_draw(uint32_t seed, size_t n, char *text)
{
    drawing d = {.seed = seed, .room = n, .text = text};
    for (int speaker = draw(&d, COUNT(speakers)); d.n < n;) speaker = put_turn(&d, speaker);
}
