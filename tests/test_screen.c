/* What leaves the program: whole lines, and nothing drawn between them. */
#include "support.h"

#include "core/screen/fields.h"
#include "core/screen/progress.h"
#include "core/screen/screen.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

typedef struct fixture {
    int kept[2]; /* our own stdout and stderr meanwhile */
    int master;  /* of the terminal, -1: none */
    FILE *file;
    char said[4096];
} fixture;

/* stdout and stderr go to fd. */
static void redirect(fixture *f, int fd)
{
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        f->kept[i] = dup(STDOUT_FILENO + i);
        assert_true(f->kept[i] >= 0 && dup2(fd, STDOUT_FILENO + i) >= 0);
    }
}

static void restore(fixture *f)
{
    for (int i = 0; i < 2; i++) {
        dup2(f->kept[i], STDOUT_FILENO + i);
        close(f->kept[i]);
    }
}

static void open_file(fixture *f)
{
    f->file = tmpfile();
    assert_non_null(f->file);
    redirect(f, fileno(f->file));
}

static const char *read_file(fixture *f)
{
    restore(f);
    rewind(f->file);
    f->said[fread(f->said, 1, sizeof f->said - 1, f->file)] = 0;
    fclose(f->file);
    return f->said;
}

static void open_terminal(fixture *f)
{
    f->master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(f->master >= 0 && grantpt(f->master) == 0 && unlockpt(f->master) == 0);
    int slave = open(ptsname(f->master), O_RDWR | O_NOCTTY);
    struct termios plain;
    assert_true(slave >= 0 && tcgetattr(slave, &plain) == 0);
    plain.c_oflag &= ~(tcflag_t)OPOST; /* what is written is what is read */
    assert_int_equal(tcsetattr(slave, TCSANOW, &plain), 0);
    redirect(f, slave);
    close(slave);
    setenv("TERM", "xterm", 1);
}

static void open_narrow_terminal(fixture *f, int columns)
{
    open_terminal(f);
    const struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    assert_int_equal(ioctl(f->master, TIOCSWINSZ, &size), 0);
}

/* All that was written up to now. */
static const char *read_terminal(fixture *f)
{
    size_t n = 0;
    ssize_t got = write(STDERR_FILENO, "~", 1); /* what is behind it was not ours */
    while (got > 0 && !memchr(f->said, '~', n) && n < sizeof f->said)
        if ((got = read(f->master, f->said + n, sizeof f->said - n)) > 0) n += (size_t)got;
    f->said[n ? n - 1 : 0] = 0;
    restore(f);
    close(f->master);
    return f->said;
}

static void neither_stream_splits_a_line_of_the_other(void **state)
{
    fixture f;
    (void)state;
    open_file(&f);
    printf("a number: ");
    fprintf(stderr, "said %s, ", "meanwhile");
    printf("%d\n", 12);
    fprintf(stderr, "in two parts\n");
    assert_string_equal(read_file(&f), "a number: 12\nsaid meanwhile, in two parts\n");
}

static void a_sentence_takes_the_place_of_what_is_drawn(void **state)
{
    fixture f;
    (void)state;
    open_terminal(&f);
    sb_screen_draw("one\ntwo\nthree");
    fprintf(stderr, "a sentence\n");
    sb_screen_draw("one");
    printf("a result\n");
    sb_screen_draw("one more");
    sb_screen_clear();
    assert_string_equal(read_terminal(&f), "\r\033[Jone\ntwo\nthree\r\033[2A\033[Ja sentence\n"
                                           "\r\033[Jone\r\033[Ja result\n"
                                           "\r\033[Jone more\r\033[J");
}

static void a_progress_line_leaves_the_terminal_to_a_sentence(void **state)
{
    fixture f;
    (void)state;
    open_terminal(&f);
    sb_progress progress = sb_progress_begin("work", 2);
    sb_progress_show(&progress, 1, "%s", "half");
    fprintf(stderr, "oddly shaped\n");
    sb_progress_show(&progress, 2, "%s", "whole");
    sb_progress_end(&progress);
    assert_string_equal(read_terminal(&f), "\r\033[Jwork 1/2  half\r\033[Joddly shaped\n"
                                           "\r\033[Jwork 2/2  whole\r\033[Jwork 2/2  whole\n");
}

/* One update of 4 took a quarter of the time: the time left follows from it. */
static void show_training(int columns, char line[SB_PROGRESS_LINE])
{
    fixture f;
    open_narrow_terminal(&f, columns);
    sb_progress progress = sb_progress_begin("prednet", 400);
    progress.started -= 30; /* seconds ago */
    progress.first = 0;
    sb_progress_show(&progress, 100, "loss %.6f  window %.6f  %.1f frames/s%s", 0.012345, 0.023456, 123.4,
                     "  epoch 3: 92.10 % right");
    sb_screen_clear();
    read_terminal(&f);
    strcpy(line, progress.line);
}

static void a_narrow_terminal_gets_fewer_fields_and_whole_ones(void **state)
{
    static const struct {
        int columns;
        const char *line;
    } cases[] = {
        {120, "prednet 100/400  loss 0.012345  window 0.023456  123.4 frames/s  epoch 3: 92.10 % right  1 min 30 s left"},
        {100, "prednet 100/400  loss 0.012345  window 0.023456  epoch 3: 92.10 % right  1 min 30 s left"},
        {80, "prednet 100/400  loss 0.012345  window 0.023456  1 min 30 s left"},
        {65, "prednet 100/400  loss 0.012345  window 0.023456  1 min 30 s left"},
        {64, "prednet 100/400  loss 0.012345  1 min 30 s left"},
        {60, "prednet 100/400  loss 0.012345  1 min 30 s left"},
        {40, "prednet 100/400  1 min 30 s left"},
        {30, "100/400  1 min 30 s left"},
        {20, "1 min 30 s left"},
    };
    char line[SB_PROGRESS_LINE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        show_training(cases[i].columns, line);
        assert_string_equal(line, cases[i].line);
        assert_true((int)strlen(line) < cases[i].columns);
    }
}

static void a_sentence_is_cut_at_a_blank(void **state)
{
    char line[128], name[32];
    sb_fields row = {0};
    (void)state;
    sb_fields_add(&row, SB_FIELD_STAYS, "6/12");
    sb_fields_add(&row, 2, "%s", "");
    sb_fields_add(&row, 3, "3.25/s");
    sb_fields_add(&row, SB_FIELD_CUT, "ended with exit code 137");
    sb_fields_write(&row, 0, line, sizeof line);
    assert_string_equal(line, "6/12  3.25/s  ended with exit code 137");
    sb_fields_write(&row, 36, line, sizeof line);
    assert_string_equal(line, "6/12  3.25/s  ended with exit code..");
    assert_int_equal(sb_fields_least(&row), 4);
    sb_fields_write(&row, 8, line, sizeof line);
    assert_string_equal(line, "6/12");
    sb_fields_write_name("prednet/walk/s001", 9, name, sizeof name);
    assert_string_equal(name, "..lk/s001");
    sb_fields_write_name("all", 5, name, sizeof name);
    assert_string_equal(name, "all  ");
    assert_int_equal(sb_fields_name_width(119, 30, 20), 30);
    assert_int_equal(sb_fields_name_width(39, 30, 20), 13);
    assert_int_equal(sb_fields_name_width(39, 30, 28), 9);
}

static void elsewhere_nothing_is_drawn(void **state)
{
    fixture f;
    (void)state;
    open_file(&f);
    sb_screen_draw("one\ntwo");
    sb_screen_clear();
    sb_progress progress = sb_progress_begin("work", 2);
    sb_progress_show(&progress, 2, "%s", "whole");
    sb_progress_end(&progress);
    assert_string_equal(read_file(&f), "work 2/2  whole\n");
}

/* Escapes of a terminal, a rewritten line, C1 as UTF-8, a mark of colour that is not ours, one that turns the direction
 * of writing; half a character at the end of what is flushed. */
static void texts_of_others_hold_no_control_codes(void **state)
{
    static const char evil[] = "a\033[31mb\033]0;title\007c\rd\x7f \xC2\x9B"
                               "2J \001abcdefgh1 \xC3\xA9\t\xE2\x80\xAE.\n";
    static const char clean[] = "a\xEF\xBF\xBD[31mb\xEF\xBF\xBD]0;title\xEF\xBF\xBD"
                                "c\xEF\xBF\xBD"
                                "d\xEF\xBF\xBD \xEF\xBF\xBD"
                                "2J \xEF\xBF\xBD"
                                "abcdefgh1 \xC3\xA9\t\xEF\xBF\xBD.\n";
    char twice[2 * sizeof clean];
    fixture f;
    (void)state;
    open_file(&f);
    printf("%s", evil);
    fprintf(stderr, "%s", evil);
    snprintf(twice, sizeof twice, "%s%s", clean, clean);
    assert_string_equal(read_file(&f), twice);
    open_terminal(&f);
    printf("%s", evil);
    assert_string_equal(read_terminal(&f), clean);
    open_terminal(&f);
    printf("half of \xC3");
    fflush(stdout);
    printf("\xA9, whole\n");
    assert_string_equal(read_terminal(&f), "half of \xC3\xA9, whole\n");
    open_terminal(&f);
    sb_screen_draw("cell \033[2J\xC3\xA9");
    sb_screen_clear();
    assert_string_equal(read_terminal(&f), "\r\033[Jcell \xEF\xBF\xBD[2J\xC3\xA9\r\033[J");
}

/* Paths in another encoding reach the program that reads them, and no terminal. */
static void bytes_of_no_character_stay_in_a_pipe(void **state)
{
    fixture f;
    (void)state;
    open_file(&f);
    printf("caf\xE9.h5\n");
    assert_string_equal(read_file(&f), "caf\xE9.h5\n");
    open_terminal(&f);
    printf("caf\xE9.h5\n");
    assert_string_equal(read_terminal(&f), "caf\xEF\xBF\xBD.h5\n");
}

static void print_verdict(void)
{
    sb_screen_word(stdout, SB_ROLE_BAD, 8, "FAILS");
    printf("| ");
    sb_screen_word(stdout, SB_ROLE_NONE, 0, "plain");
    printf("\n");
}

static void roles_have_colours_on_a_terminal_alone(void **state)
{
    static const char plain[] = "FAILS   | plain\n";
    char text[64];
    fixture f;
    (void)state;
    open_terminal(&f);
    print_verdict();
    assert_string_equal(read_terminal(&f), "\033[1;31mFAILS\033[0m   | plain\n");
    open_terminal(&f);
    sb_screen_draw(sb_screen_paint(text, sizeof text, SB_ROLE_GOOD, "holds"));
    sb_screen_clear();
    assert_string_equal(read_terminal(&f), "\r\033[J\033[32mholds\033[0m\r\033[J");
    open_file(&f);
    print_verdict();
    assert_string_equal(read_file(&f), plain);
    setenv("NO_COLOR", "1", 1);
    open_terminal(&f);
    print_verdict();
    assert_string_equal(read_terminal(&f), plain);
    unsetenv("NO_COLOR");
    open_terminal(&f);
    setenv("TERM", "dumb", 1);
    print_verdict();
    assert_string_equal(read_terminal(&f), plain);
}

static void a_line_longer_than_the_buffer_arrives(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    fixture f;
    assert_non_null(file);
    redirect(&f, fileno(file));
    for (int i = 0; i < 3 * SB_SCREEN_TEXT; i++) putchar('x');
    putchar('\n');
    int failed = fflush(stdout) != 0 || ferror(stdout);
    restore(&f);
    assert_false(failed);
    fseek(file, 0, SEEK_END);
    assert_int_equal(ftell(file), 3 * SB_SCREEN_TEXT + 1);
    fclose(file);
}

static void a_failed_write_is_noticed(void **state)
{
    (void)state;
    int full = open("/dev/full", O_WRONLY);
    fixture f;
    if (full < 0) skip();
    redirect(&f, full);
    printf("lost\n");
    bool noticed = ferror(stdout);
    clearerr(stdout);
    restore(&f);
    close(full);
    assert_true(noticed);
}

int main(void)
{
    sb_screen_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neither_stream_splits_a_line_of_the_other),
        cmocka_unit_test(a_sentence_takes_the_place_of_what_is_drawn),
        cmocka_unit_test(a_progress_line_leaves_the_terminal_to_a_sentence),
        cmocka_unit_test(a_narrow_terminal_gets_fewer_fields_and_whole_ones),
        cmocka_unit_test(a_sentence_is_cut_at_a_blank),
        cmocka_unit_test(elsewhere_nothing_is_drawn),
        cmocka_unit_test(texts_of_others_hold_no_control_codes),
        cmocka_unit_test(bytes_of_no_character_stay_in_a_pipe),
        cmocka_unit_test(roles_have_colours_on_a_terminal_alone),
        cmocka_unit_test(a_line_longer_than_the_buffer_arrives),
        cmocka_unit_test(a_failed_write_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
