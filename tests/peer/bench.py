#!/usr/bin/env python3
"""samebits next to PyTorch on this CPU, in turns, round after round, so that noise of the machine affects both.

    tests/peer/bench.py --samebits build/cpu/bin/samebits [--before OLDER/samebits] -o TABLE.csv

Writes one table of this machine, and prints it: samples of an update per second (of gpt its tokens) by PyTorch, by an
older samebits, and by this one, and the limit: all multiplications, counted as direct convolution, at the highest of some
peaks that are measured. Layers that use Winograd can be faster than it. Of gpt PyTorch runs the faster of two forms: as it
is, and compiled by torch.compile, if that has a compiler here.
`make bench PEER=pytorch` makes the environment and calls it. Exit: 0 measured, 1 a program failed, 2 misuse, 4 no PyTorch here.
"""
import argparse
import csv
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()

# name: arguments of samebits bench, study and samples of its row
CASES = {
    "lenet-32": (["--only", "lenet", "--batch", "32"], "lenet", 32),
    "lenet-4096": (["--only", "lenet", "--batch", "4096"], "lenet", 4096),
    "mlp-256": (["--only", "mlp", "--batch", "256"], "mlp", 256),
    "autoencoder-1": (["--only", "autoencoder"], "autoencoder", 1),
    "autoencoder-100": (["--only", "autoencoder"], "autoencoder", 100),
    "resnet9-512": (["--only", "resnet9", "--batch", "512"], "resnet9", 512),
    "prednet-48x32": (["--only", "prednet", "--size", "48x32", "--channels", "3,8,16,32"], "prednet", 20),
    "prednet-160x120": (["--only", "prednet"], "prednet", 20),
    "gpt-256": (["--only", "gpt", "--batch", "8", "--context", "256"], "gpt", 8),
}
TOKENS = {"gpt-256": 256} # of a sample: where there are tokens, the table counts them
MEASURES = ("pytorch", "before", "now", "limit", "ratio_to_pytorch", "ratio_to_before", "share_of_limit", "whole_rounds")
LEAST_SECONDS, PEAKS = 0.5, 5

# Virtual CPUs can share a core for seconds. A round of several threads is whole if their peak was this share of the highest
# before and after it. Others are repeated, this many times as many rounds as are wanted; then they count, too, and
# whole_rounds says how many are whole.
WHOLE, TRIES = 0.9, 6

# Instruction sets of PyTorch's libraries, for a comparison at less than the CPU has.
ISA_OF_LIBRARIES = {"avx2": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}}

# ---- PyTorch, in a process of its own ----


def update_of(case):
    """A function that makes one update of the network of a case."""
    import torch
    from torch import nn

    sys.path.insert(0, str(HERE.parents[1] / "gpu"))
    import pytorch

    name, size = case.rsplit("-", 1)
    device = torch.device("cpu")
    if name == "prednet":
        pytorch.WIDTH, pytorch.HEIGHT = (int(n) for n in size.split("x"))
        if size == "48x32":
            pytorch.CHANNELS = [3, 8, 16, 32]
        return pytorch.prednet(device)
    if name == "resnet9":
        return pytorch.resnet9(device, channels_last=True)
    if name == "gpt":
        return fastest({"eager": lambda: pytorch.gpt(device), "compiled": lambda: pytorch.gpt(device, compiled=True)})
    linear = lambda *n: [layer for a, b in zip(n, n[1:]) for layer in (nn.Linear(a, b), nn.ReLU())]
    n = int(size)
    if name == "autoencoder":
        net, x = nn.Sequential(*linear(784, 64, 784)), torch.rand(n, 784)
        return updates(net, x, lambda y: nn.functional.mse_loss(y, x), torch.optim.Adam(net.parameters(), 1e-3))
    conv = [nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()]
    layers = conv + linear(800, 500, 10) if name == "lenet" else linear(196, 256, 128, 64, 10)
    net = nn.Sequential(*layers[:-1])
    x = torch.randn(n, 1, 28, 28) if name == "lenet" else torch.randn(n, 196)
    labels = torch.randint(0, 10, (n,))
    return updates(net, x, lambda y: nn.functional.cross_entropy(y, labels),
                   torch.optim.SGD(net.parameters(), 0.01, momentum=0.9))


def fastest(forms):
    """The form with the shortest update, of those that work here; its name is printed to stderr."""
    measured = []
    for name, make in forms.items():
        try:
            update = make()
            update()
            measured.append((min(seconds_of_one(update) for _ in range(3)), name, update))
        except Exception as failed:  # torch.compile without a compiler, of which there are many kinds
            print(f"PyTorch, {name}: does not work here: {str(failed).splitlines()[:1]}", file=sys.stderr)
    measured.sort(key=lambda of: of[0])
    print("PyTorch: " + ", ".join(f"{name} {seconds:.3g} s" for seconds, name, _ in measured), file=sys.stderr)
    return measured[0][2]


def seconds_of_one(update):
    start = time.perf_counter()
    update()
    return time.perf_counter() - start


def updates(net, x, loss, optimizer):
    def update():
        optimizer.zero_grad(set_to_none=True)
        loss(net(x)).backward()
        optimizer.step()

    return update


def work(case, threads, by_cpu):
    """Answer each line of stdin with the seconds of an update."""
    import torch

    clock = (lambda: time.process_time() / threads) if by_cpu else time.perf_counter

    torch.set_num_threads(threads)
    update = update_of(case)
    update()
    print(torch.__version__, flush=True)
    for _ in sys.stdin:
        n, start = 0, clock()
        while n == 0 or clock() - start < LEAST_SECONDS:
            update()
            n += 1
        print((clock() - start) / n, flush=True)


class Peer:
    """PyTorch with one case, open over all rounds."""

    def __init__(self, case, threads, options):
        env = dict(os.environ, **ISA_OF_LIBRARIES.get(options.isa, {}), OMP_NUM_THREADS=str(threads))
        if options.wait:
            env["OMP_WAIT_POLICY"] = options.wait
        command = [sys.executable, str(HERE), "--work", case, str(threads)] + ["--cpu"] * options.cpu
        self.process = subprocess.Popen(command, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.version = self.process.stdout.readline().strip()
        if not self.version:
            raise ProgramFailed(f"PyTorch with {case}: exit code {self.process.wait()}")

    def seconds(self):
        print(file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# ---- samebits ----


class ProgramFailed(Exception):
    """What a program printed before it failed."""


def bench(program, arguments, options, threads):
    """Rows and facts of one round of `samebits bench`."""
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder, "bench.csv")
        command = [program, "bench", *arguments, "--backend", "native/winograd", "--threads", str(threads), "--rounds", "1",
                   "-o", str(table)] + (["--isa", options.isa] if options.isa else [])
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
        if done.returncode:
            raise ProgramFailed(f"{done.stderr}{' '.join(command)}: exit code {done.returncode}")
        lines = table.read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return list(rows), [line for line in lines if line.startswith("#")]


def seconds_of(program, case, options, threads):
    """Seconds of an update, its GFLOP, and the facts of machine and program."""
    arguments, study, samples = CASES[case]
    rows, facts = bench(program, arguments, options, threads)
    value = {row["measure"]: float(row["median"]) for row in rows
             if row["study"] == study and row["samples"] == str(samples) and not row["operation"]}
    seconds = value["time"] * (value["cpu_share"] if options.cpu else 1)
    return seconds, value["rate"] * value["time"], facts


def peak_of(options):
    """GFLOP/s of one thread's fused multiply-adds: the highest of short measurements, of which other work disturbs not all."""
    return max(peaks_now(options, 1, PEAKS))


def peaks_now(options, threads, n):
    peaks = []
    for _ in range(n):
        rows, _ = bench(options.samebits, ["--only", "mlp"] + ["--quick"] * (threads == 1), options, threads)
        peaks += [float(row["median"]) for row in rows if row["measure"] == "fma_peak"]
    return peaks


def has_all_cores(options, threads, peak):
    return threads == 1 or options.cpu or min(peaks_now(options, threads, 1)) > WHOLE * peak


def measure(options, case, threads, peak):
    """All rounds of a case: a list of values for each measure."""
    peer, seconds = Peer(case, threads, options), {"pytorch": [], "before": [], "now": []}
    whole = 0
    for attempt in range(TRIES * options.rounds):
        has_all = has_all_cores(options, threads, peak)
        times = {"pytorch": peer.seconds()}
        if options.before:
            times["before"] = seconds_of(options.before, case, options, threads)[0]
        times["now"], gflop, facts = seconds_of(options.samebits, case, options, threads)
        has_all = has_all and has_all_cores(options, threads, peak)
        missing = options.rounds - len(seconds["now"])
        if has_all or TRIES * options.rounds - attempt <= missing:
            whole += has_all
            for name, value in times.items():
                seconds[name].append(value)
            if missing == 1:
                break
    peer.close()
    samples = CASES[case][2] * TOKENS.get(case, 1)
    ratio = lambda name: [old / now for old, now in zip(seconds[name], seconds["now"])]
    values = {name: [samples / s for s in seconds[name]] for name in seconds}
    values["whole_rounds"] = [whole]
    values.update(limit=[samples * peak / gflop], ratio_to_pytorch=ratio("pytorch"), ratio_to_before=ratio("before"),
                  share_of_limit=[gflop / peak / now for now in seconds["now"]])
    return values, facts + [f"# pytorch: {peer.version}"]


def print_row(case, threads, values):
    middle = lambda name: f"{statistics.median(values[name]):.3g}" if values[name] else ""
    span = lambda name: f" [{min(values[name]):.2f} {max(values[name]):.2f}]" if values[name] else ""
    cells = [case, threads] + [f"{float(middle(name)):,.0f}" if middle(name) else "" for name in MEASURES[:4]]
    cells += [middle(name) + span(name) for name in MEASURES[4:7]]
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def compare(options):
    heading = ["network", "threads", "PyTorch, samples/s", "before", "now", "limit", "to PyTorch", "to before", "of limit"]
    rows, facts = [], []
    print("| " + " | ".join(heading) + " |\n|" + "---|" * len(heading))
    peak = peak_of(options)
    for case in options.only or CASES:
        for threads in options.threads:
            values, facts = measure(options, case, threads, threads * peak)
            print_row(case, threads, values)
            network, size = case.rsplit("-", 1)
            rows += [[network, size, threads, len(v), name, f"{statistics.median(v):.6g}", f"{min(v):.6g}", f"{max(v):.6g}"]
                     for name in MEASURES for v in [values[name]] if v]
    facts += [f"# fma_peak: {peak:.1f} GFLOP/s of one thread",
              f"# isa of the comparison: {options.isa or 'the best'}", f"# waiting of PyTorch: {options.wait or 'its default'}",
              f"# seconds: {'CPU seconds divided by the threads' if options.cpu else 'of the clock'}",
              f"# load: {os.getloadavg()[1]:.1f} on {os.cpu_count()} CPUs"]
    with open(options.output, "w", newline="") as file:
        print(*facts, sep="\n", file=file)
        table = csv.writer(file, lineterminator="\n")
        table.writerows([["network", "size", "threads", "rounds", "measure", "median", "min", "max"]] + rows)


def check_paths(options):
    """What is wrong with the paths, or None."""
    for program in filter(None, (options.samebits, options.before)):
        if not (os.path.isfile(program) and os.access(program, os.X_OK)):
            return f"{program}: no program; name a samebits with --samebits or --before"
    output = pathlib.Path(options.output)
    if output.is_dir() or not os.access(output.parent, os.W_OK):
        return f"{output}: cannot be written; name another -o"
    return None


def main():
    if sys.argv[1:2] == ["--work"]:
        return work(sys.argv[2], int(sys.argv[3]), "--cpu" in sys.argv)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samebits", required=True)
    parser.add_argument("--before", help="an older samebits")
    parser.add_argument("--only", nargs="+", choices=CASES, metavar="CASE", help=f"of {', '.join(CASES)}")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--isa", help="instruction set of native, and of PyTorch's libraries where they can be told: avx2")
    parser.add_argument("--wait", choices=["active", "passive"], help="OMP_WAIT_POLICY of PyTorch")
    parser.add_argument("--cpu", action="store_true", help="CPU seconds instead of time: for a machine with other work")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    wrong = check_paths(options)
    if wrong:
        print(wrong, file=sys.stderr)
        return 2
    try:
        import torch  # noqa: F401
    except ImportError:
        print("no PyTorch in this Python; make bench PEER=pytorch installs it into an environment of its own", file=sys.stderr)
        return 4
    try:
        compare(options)
    except ProgramFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
