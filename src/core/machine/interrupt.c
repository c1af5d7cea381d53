#include "core/machine/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t stop_signal;
static volatile sig_atomic_t checkpoint_wanted;

static void on_signal(int signal_number)
{
    if (signal_number == SIGUSR1)
        checkpoint_wanted = 1;
    else
        stop_signal = signal_number == SIGINT ? SIGINT : SIGTERM;
}

static bool is_ignored(int signal_number)
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void sb_interrupt_catch(void)
{
    static const int caught[] = {SIGUSR1, SIGTERM, SIGUSR2, SIGXCPU};
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) sigaction(caught[i], &action, NULL);
    if (!is_ignored(SIGHUP)) sigaction(SIGHUP, &action, NULL);
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &blocked, NULL);
}

int sb_interrupt_signal(void)
{
    return stop_signal;
}

void sb_interrupt_adopt(int signal_number)
{
    stop_signal = signal_number;
}

bool sb_interrupt_checkpoint(void)
{
    bool wanted = checkpoint_wanted;
    checkpoint_wanted = 0;
    return wanted;
}
