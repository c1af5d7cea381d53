"""The checks of recorder.sh. Each is a function whose name is the check's; it returns facts, and fails by an exception.

    recorder.py OUT_DIR [CHECK...]         all checks, or those that are named
    recorder.py OUT_DIR --zoo CASE...      both sides of cases of the zoo, on the device, in this one process"""
import argparse
import csv
import importlib
import json
import os
import subprocess
import sys
import time
import traceback
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
ZOO = os.path.join(HERE, "..", "zoo")
DEVICE = os.environ.get("SB_DEVICE", "cuda")
PROCESSES = 4  # that run cases of the zoo

try:
    import numpy
    import torch
except ImportError as error:
    print(f"{error}: PyTorch and NumPy are needed")
    sys.exit(77)

import judge  # noqa: E402
import samebits.torch as sb  # noqa: E402
from samebits import _torch_hash  # noqa: E402
from torch import nn  # noqa: E402

# Cases whose subject exists on a GPU, and what is named there otherwise than on a CPU.
CASES = ("data_edit uninitialised one_ulp double_somewhere nan_payload fused_optimizer adam_eps adam_eps_place decay_on_bias "
         "schedule_moment accumulation_average no_zero_grad frozen_trained ema_early resume_optimizer bn_eval dropout_extra_draw "
         "label_smoothing softmax_dim padding_mode align_corners gradient_hook checkpointing initial_weights shuffled_labels same "
         "extra_log").split()
OTHERWISE = {"bn_eval": {"operation": "native_batch_norm|cudnn_batch_norm|_batch_norm_with_update|_batch_norm_no_update",
                         "kind": "other argument|other operation"},
             "fused_optimizer": {"tensor": ""}}


def need(holds, sentence):
    if not holds:
        raise AssertionError(sentence)


def bits(x):
    return x.detach().cpu().contiguous().reshape(-1).view(torch.uint8)


def same(a, b):
    return len(a) == len(b) and all(torch.equal(bits(x), bits(y)) for x, y in zip(a, b))


def run_samebits(*arguments):
    return subprocess.run(("samebits", *arguments), capture_output=True, text=True)


def samebits(*arguments):
    """Exit code, and all that it says."""
    done = run_samebits(*arguments)
    return done.returncode, done.stdout + done.stderr


# --- hashes --------------------------------------------------------------------------------------------------------------------

def of_type(dtype, n):
    generator = torch.Generator(device="cpu").manual_seed(n + 1)
    whole = torch.randint(0, 256, (n * dtype.itemsize,), generator=generator, dtype=torch.uint8)
    return (whole & 1).view(torch.bool) if dtype is torch.bool else whole.view(dtype)


def views_of(x):
    """Tensors of many shapes and strides, by name: x has 3 * 64 * 40 * 32 numbers or more."""
    y = x[:3 * 64 * 40 * 32].view(3, 64, 40, 32)
    yield "whole", x
    yield "one number in", x[1:]
    yield "three numbers in", x[3:40003]
    yield "transposed", y.transpose(1, 3)
    yield "channels_last", y.contiguous(memory_format=torch.channels_last)
    yield "each second", y[:, ::2]
    yield "expanded", y[:1].expand(5, 64, 40, 32)
    yield "a window", y[:, 3:60, 5:33, 1:30]
    yield "overlapping", x.as_strided((300, 300), (7, 1))
    yield "scalar", x[5]
    yield "empty", x[:0]
    yield "a size of 0", y[:, :0]


def device_hash_is_host_hash():
    names = [name for name in _torch_hash.library.DTYPES if hasattr(torch, name)]
    n_checked, lengths = 0, (0, 1, 7, 8191, 8192, 16384, 16385, 65536, 65537, 3 * 65536, 1_000_003)
    for name in names:
        dtype = getattr(torch, name)
        if name.startswith("float8") and not hasattr(torch.utils, "deterministic"):
            continue  # PyTorch 2.1 fills all new memory in this mode, and not of these types
        tensors = {f"{n} numbers": of_type(dtype, n) for n in lengths}
        tensors.update(views_of(of_type(dtype, 3 * 64 * 40 * 32 + 11)))
        if dtype.is_complex:
            tensors["conjugate"] = of_type(dtype, 70_000).conj()
            tensors["imaginary of conjugate"] = of_type(dtype, 70_000).conj().imag
        there = {}
        for what, x in tensors.items():
            there[what] = place(x)
            need(sb.hash_tensor(there[what]) == sb.hash_tensor(x), f"{name}, {what}: the hashes of device and host differ")
            n_checked += 1
        several = _torch_hash.hash_tensors(list(there.values()))
        need(several == [sb.hash_tensor(x) for x in tensors.values()], f"{name}: hashed together and one by one differ")
    return f"{n_checked} tensors of {len(names)} types"


def place(x):
    """On the device with the same strides, over a copy of the whole storage."""
    storage = torch.empty(0, dtype=torch.uint8).set_(x.untyped_storage()).to(DEVICE)
    if x.is_conj() or x.is_neg():
        return x.to(DEVICE)
    return torch.empty(0, dtype=x.dtype, device=DEVICE).set_(storage.untyped_storage(), x.storage_offset(), x.shape, x.stride())


def sparse_hash_is_host_hash():
    x = torch.relu(torch.randn(300, 400, generator=torch.Generator().manual_seed(1)))
    n = 0
    for make in (torch.Tensor.to_sparse, torch.Tensor.to_sparse_csr, torch.Tensor.to_sparse_csc):
        need(sb.hash_tensor(make(x)) == sb.hash_tensor(make(x).to(DEVICE)), f"{make.__name__} differs")
        n += 1
    return f"{n} layouts"


def synchronize():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def timed(body, turns=5):
    """The smallest of some turns, in seconds."""
    best = float("inf")
    for _ in range(turns):
        synchronize()
        begun = time.perf_counter()
        body()
        synchronize()
        best = min(best, time.perf_counter() - begun)
    return best


def speed_of_hashes():
    """Measured, not judged."""
    one = torch.randn(64 << 18, device=DEVICE)  # 64 MiB
    many = [torch.randn(n, device=DEVICE) for n in (512, 4608, 36864, 147456, 589824, 2359296) for _ in range(8)]
    n_bytes = sum(x.numel() * 4 for x in many)
    t_one, t_many = timed(lambda: sb.hash_tensor(one)), timed(lambda: _torch_hash.hash_tensors(many))
    t_copy = timed(lambda: one.cpu())
    return (f"64 MiB in {1e3 * t_one:.2f} ms ({one.numel() * 4 / t_one / 1e9:.1f} GB/s), copied to the host alone {1e3 * t_copy:.2f} ms; "
            f"{len(many)} tensors, {n_bytes / 1e6:.0f} MB, in {1e3 * t_many:.2f} ms ({n_bytes / t_many / 1e9:.1f} GB/s)")


# --- trainings -----------------------------------------------------------------------------------------------------------------

def network(dropout=0.2):
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(inplace=True), nn.AvgPool2d(2),
                         nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.AvgPool2d(4), nn.Flatten(),
                         nn.Dropout(dropout), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 5))


def batches(n=3, device=None):
    generator = torch.Generator(device="cpu").manual_seed(1)
    return [(torch.randn(16, 16, 16, 16, generator=generator).to(device or DEVICE),
             torch.randint(0, 5, (16,), generator=generator).to(device or DEVICE)) for _ in range(n)]


class Plain:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def update(self, loss):
        pass


def scaler_of(device, is_enabled):
    if hasattr(torch.amp, "GradScaler"):
        return torch.amp.GradScaler(device, enabled=is_enabled)
    return torch.cuda.amp.GradScaler(enabled=is_enabled and device == "cuda")  # PyTorch before 2.3


def train(around=None, device=None, form="plain", dropout=0.2, updates=3):
    """Final weights, and what `around` gave."""
    device = device or DEVICE
    model = network(dropout).to(device)
    if form == "channels_last":
        model = model.to(memory_format=torch.channels_last)
    kind = {"foreach": {"foreach": True}, "fused": {"fused": True}}.get(form, {})
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, **kind)
    scaler = scaler_of(device, form == "amp")
    torch.manual_seed(3)
    with (around(model, optimizer) if around else Plain()) as run:
        torch.manual_seed(3)
        for x, y in batches(updates, device):
            x = x.to(memory_format=torch.channels_last) if form == "channels_last" else x
            optimizer.zero_grad()
            with torch.autocast(device, torch.float16 if device == "cuda" else torch.bfloat16, enabled=form == "amp"):
                loss = nn.functional.cross_entropy(model(x), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            run.update(loss)
    return [p.detach().clone() for p in model.parameters()] + [b.clone() for b in model.buffers()], run


def bits_are_the_plain_runs(out):
    facts = []
    has_fused = DEVICE == "cuda" or hasattr(torch.amp, "GradScaler")  # on a CPU later than PyTorch 2.1
    for form in ("plain", "foreach", *(("fused",) if has_fused else ()), "channels_last", "amp"):
        plain, again = train(form=form)[0], train(form=form)[0]
        if not same(plain, again):
            facts.append(f"{form}: the plain run does not repeat itself")
            continue
        path = os.path.join(out, f"bits_{form}.h5")
        recorded, run = train(lambda m, o: sb.record(m, o, path, watch=True, trace=2, on_change="report"), form=form)
        need(same(plain, recorded), f"{form}: the recorded run has other weights")
        need(not run.changes, f"{form}: watch found {len(run.changes)}: {run.changes[:1]}")
        code, said = samebits("verify", path, path[:-3] + ".u2.trace.h5")
        need(code == 0, said)
        facts.append(f"{form} same")
    need(any(fact.endswith("same") for fact in facts), "; ".join(facts))
    return "; ".join(facts)


def two_recordings_agree(out):
    paths = [os.path.join(out, f"twice_{k}.h5") for k in (1, 2)]
    for path in paths:
        train(lambda m, o: sb.record(m, o, path, trace=2, check=()))
    codes = [samebits(verb, *given) for verb, given in (("diff", paths), ("bisect", [p[:-3] + ".u2.trace.h5" for p in paths]))]
    need(all(code == 0 for code, _ in codes), codes)
    return codes[0][1].splitlines()[0]


def right_programs_have_no_finding():
    def checkpointed(x, model):
        return torch.utils.checkpoint.checkpoint(model, x, use_reentrant=False).sum()

    def recurrent(x, model):
        lstm, gru = nn.LSTM(16, 24, 2, batch_first=True).to(DEVICE), nn.GRU(24, 8).to(DEVICE)
        return gru(lstm(x.flatten(1).view(16, -1, 16))[0])[0].sum()

    def attention(x, model):
        q = x.flatten(2).transpose(1, 2).requires_grad_()
        return nn.functional.scaled_dot_product_attention(q, q, q).sum() + nn.MultiheadAttention(16, 2).to(DEVICE)(q, q, q)[0].sum()

    def in_place(x, model):
        y = x.clone().requires_grad_() * 2
        return y.add_(1).relu_().pow(2).sum()

    def embedding(x, model):
        return nn.Embedding(16, 8, sparse=True).to(DEVICE)(x.argmax(1)).sum()

    names = []
    for body in (checkpointed, recurrent, attention, in_place, embedding):
        with sb.watch(on_change="report") as found:
            for x, _ in batches():
                body(x, network().to(DEVICE)).backward()
        need(not len(found), f"{body.__name__}: {[str(change) for change in found][:1]}")
        need(found.saved, f"{body.__name__}: nothing was saved")
        names.append(f"{body.__name__} {found.saved} saved")
    return ", ".join(names)


def changed_through_data_is_found():
    model = network().to(DEVICE)
    x, y = batches()[0]
    with sb.watch(model, on_change="report") as found:
        loss = nn.functional.cross_entropy(model(x), y)
        model[12].weight.data.mul_(1.5)
        loss.backward()
    need(len(found) == 1 and found.changes[0].tensor == "12.weight", [str(change) for change in found])
    return str(found.changes[0])


def version_counter_is_checked():
    x = torch.randn(40, device=DEVICE, requires_grad=True)
    with sb.watch(on_change="report"):
        y = x.exp()
        z = y.sum()
        y.detach().mul_(2)
        try:
            z.backward()
            (y * y).sum().backward()
        except RuntimeError as error:
            need("modified by an inplace operation" in str(error), error)
            return "raised as without watch"
    raise AssertionError("nothing was raised")


# --- one side on the CPU -------------------------------------------------------------------------------------------------------

def shared_target(device, path):
    """The published fault: one array of targets, filled again for each frame. A CPU shares its memory, a GPU copies it."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 3, 3, padding=1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    frames = numpy.random.default_rng(1).standard_normal((5, 1, 3, 8, 8)).astype(numpy.float32)
    target = numpy.empty_like(frames[0])
    with sb.record(model, optimizer, path, watch=True, on_change="report", trace=1) as run:
        loss = 0
        for k in range(4):
            target[:] = frames[k + 1]
            loss = loss + nn.functional.mse_loss(model(torch.from_numpy(frames[k]).to(device)), torch.from_numpy(target).to(device))
        loss.backward()
        optimizer.step()
        run.update(loss)
    return run


def the_published_fault(out):
    paths = {device: os.path.join(out, f"target_{device}.h5") for device in dict.fromkeys(("cpu", DEVICE))}
    runs = {device: shared_target(device, path) for device, path in paths.items()}
    need(len(runs["cpu"].changes) >= 3, f"on the CPU watch found {len(runs['cpu'].changes)}")
    if DEVICE == "cpu":
        return f"cpu {len(runs['cpu'].changes)} findings"
    need(not runs[DEVICE].changes, f"on the device watch found {len(runs[DEVICE].changes)}")
    traces = [path[:-3] + ".u1.trace.h5" for path in paths.values()]
    code, said = samebits("bisect", *traces)
    need(code == 1 and "changed while no operation wrote" in said, said)
    return f"cpu {len(runs['cpu'].changes)} findings, device 0; bisect of both traces: " + said.splitlines()[-1]


def exact(is_exact):
    torch.backends.cudnn.allow_tf32 = not is_exact
    torch.backends.cuda.matmul.allow_tf32 = not is_exact


def compare(out, name, sides):
    """The answers of diff and bisect about two runs: sides is ((device, exact?), (device, exact?))."""
    paths = []
    for side, (device, is_exact) in zip("ab", sides):
        paths.append(os.path.join(out, f"{name}_{side}.h5"))
        exact(is_exact)
        train(lambda m, o: sb.record(m, o, paths[-1], trace=1), device=device, dropout=0.0)
    exact(True)
    code, said = samebits("diff", *paths)
    need(code in (0, 1), said)
    traces = [path[:-3] + ".u1.trace.h5" for path in paths]
    answer = json.loads(run_samebits("bisect", *traces, "--json").stdout) if code else {}
    text = samebits("bisect", *traces)[1]
    for path, words in (("diff", said), ("bisect", text)):
        with open(os.path.join(out, f"{name}.{path}.txt"), "w") as file:
            file.write(words)
    return code, said, answer, text


def cpu_and_device_within_rounding(out):
    code, said, answer, text = compare(out, "cpu_device", (("cpu", True), (DEVICE, True)))
    need(code == (0 if DEVICE == "cpu" else 1), said)
    if DEVICE == "cpu":
        return "one device"
    need(answer["kind"] == "other result" and "within rounding" in text, text)
    need("by more than rounding explains" not in text, text)
    return f"{said.splitlines()[0]}; {answer['operation_name']}: " + next(x for x in text.splitlines() if "within rounding" in x)


def tf32_is_more_than_rounding(out):
    code, said, answer, text = compare(out, "tf32", ((DEVICE, True), (DEVICE, False)))
    if DEVICE == "cpu":
        return "no such arithmetic"
    need(code == 1 and "tf32" in said, said)
    need(answer["kind"] == "other result" and "more than rounding" in text, text)
    need("side a:" not in text, text)
    return f"{said.splitlines()[0]}; {answer['operation_name']}, {next(x for x in text.splitlines() if x.startswith('side b'))}"


def atomic_sums_are_unstable(out):
    """index_add_ on a GPU adds by atomic operations."""
    torch.use_deterministic_algorithms(False)
    model = nn.Linear(8, 8).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    index = torch.randint(0, 8, (400_000,), generator=torch.Generator().manual_seed(1)).to(DEVICE)
    values = torch.randn(400_000, generator=torch.Generator().manual_seed(2)).to(DEVICE)
    with sb.record(model, optimizer, None, trace=1, trace_path=os.path.join(out, "atomic.trace.h5"), check="twice") as run:
        model(torch.zeros(8, device=DEVICE).index_add_(0, index, values)).sum().backward()
        optimizer.step()
        run.update()
    torch.use_deterministic_algorithms(True, warn_only=True)
    found = [sentence for _, kind, sentence in run.findings if kind == "unstable"]
    need(DEVICE == "cpu" or (len(found) >= 1 and "index_add_" in found[0]), run.findings)
    return found[0] if found else "0 on this device"


def capture_is_refused(out):
    if DEVICE == "cpu":
        return "no such thing"
    model = network().to(DEVICE)
    x = batches()[0][0]
    model(x)
    graph = torch.cuda.CUDAGraph()
    with sb.record(model, None, os.path.join(out, "capture.h5"), watch=True, on_change="report") as run:
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):
                model(x)
        torch.cuda.current_stream().wait_stream(stream)
        with torch.cuda.graph(graph):
            y = model(x)
    graph.replay()
    need(bool(torch.isfinite(y).all()), "the replay gives other numbers")
    need(any("captured" in sentence for _, _, sentence in run.findings), run.findings)
    return run.findings[-1][2]


def costs(out):
    """Measured, not judged: an update with and without recording, in turns."""
    def update_of(around):
        model = network().to(DEVICE)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        data = batches(6)
        with (around(model, optimizer) if around else Plain()) as run:
            return timed(lambda: step(model, optimizer, data[0], run), 20)

    def step(model, optimizer, batch, run):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(batch[0]), batch[1])
        loss.backward()
        optimizer.step()
        run.update(loss)

    plain = update_of(None)
    record = update_of(lambda m, o: sb.record(m, o, os.path.join(out, "cost.h5")))
    watched = update_of(lambda m, o: sb.record(m, o, None, watch=True, on_change="report"))
    return f"an update of a small network {1e3 * plain:.2f} ms, recorded {1e3 * record:.2f} ms, watched {1e3 * watched:.2f} ms"


# --- the zoo -------------------------------------------------------------------------------------------------------------------

def zoo_rows(names):
    with open(os.path.join(ZOO, "expected.csv"), newline="") as file:
        rows = {row["case"]: row for row in csv.DictReader(file)}
    for name in names:
        row = dict(rows[name], **(OTHERWISE.get(name, {}) if DEVICE != "cpu" else {}))
        if row["operation"]:  # on a GPU the optimizers work on lists of tensors
            row["operation"] += "".join(f"|_foreach_{word}" for word in row["operation"].split("|"))
        yield row


def run_cases(names, out):
    """Trains both sides of cases; prints a line of JSON for each."""
    import common
    torch.set_default_device(DEVICE)
    for row in zoo_rows(names):
        found = {}
        for side in "ab":
            kept = []
            options = argparse.Namespace(record=judge.recording_path(out, row["case"], side), watch=True,
                                         trace=[judge.update_of(row), judge.trace_path(out, row, side)])

            def attach(*arguments, **named):
                kept.append(common.recorder(options)(*arguments, **named))
                return kept[-1]
            torch.set_flush_denormal(False)
            try:
                importlib.import_module(row["case"]).main(side, attach)
            except Exception as error:  # the other cases still run
                print(json.dumps({"case": row["case"], "error": f"side {side}: {type(error).__name__}: {error}"}), flush=True)
                break
            found[side] = sum(len(run.changes) for run in kept)
        else:
            print(json.dumps({"case": row["case"], "found": found}), flush=True)


def zoo(out):
    folder = os.path.join(out, "zoo")
    os.makedirs(folder, exist_ok=True)
    groups = [CASES[k::PROCESSES] for k in range(PROCESSES)]
    running = [subprocess.Popen([sys.executable, os.path.abspath(__file__), folder, "--zoo", *group], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True) for group in groups]
    found, errors = {}, []
    for process in running:
        said, error = process.communicate()
        for line in said.splitlines():
            if line.startswith("{"):
                answer = json.loads(line)
                found[answer["case"]] = answer.get("found") or answer["error"]
        if process.returncode:
            errors.append(error.strip().splitlines()[-1])
    wrong = []
    for row in zoo_rows(CASES):
        if not isinstance(found.get(row["case"]), dict):
            wrong.append(f"{row['case']}: {found.get(row['case'], 'did not run')}")
            continue
        missed, words = judge.compare(row, folder, found[row["case"]])
        if missed:
            wrong.append(f"{row['case']}: {', '.join(missed)} ({words})")
    need(not wrong and not errors, "; ".join(wrong + errors))
    return f"{len(CASES)} cases as expected"


CHECKS = (device_hash_is_host_hash, sparse_hash_is_host_hash, speed_of_hashes, bits_are_the_plain_runs, two_recordings_agree,
          right_programs_have_no_finding, changed_through_data_is_found, version_counter_is_checked, the_published_fault,
          cpu_and_device_within_rounding, tf32_is_more_than_rounding, atomic_sums_are_unstable, capture_is_refused, costs, zoo)


def try_check(check, out):
    begun = time.perf_counter()
    try:
        facts = check(out) if check.__code__.co_argcount else check()
        word = "holds"
    except Exception as error:  # the other checks still run
        word, facts = "fails", f"{type(error).__name__}: {error}"
        with open(os.path.join(out, f"{check.__name__}.traceback.txt"), "w") as file:
            traceback.print_exc(file=file)
    print(f"{word} {check.__name__}: {' '.join(str(facts).split())} [{time.perf_counter() - begun:.1f} s]", flush=True)
    return word == "holds"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--zoo", nargs="+")
    parser.add_argument("checks", nargs="*")
    options = parser.parse_args()
    if DEVICE == "cuda" and not torch.cuda.is_available():
        print("no GPU that PyTorch can use")
        return 77
    if options.zoo:
        return run_cases(options.zoo, options.out)
    torch.use_deterministic_algorithms(True, warn_only=True)
    if hasattr(torch.utils, "deterministic"):  # later than PyTorch 2.1
        torch.utils.deterministic.fill_uninitialized_memory = False  # not every type can be filled everywhere
    torch.backends.cudnn.benchmark = False
    warnings.simplefilter("ignore")
    exact(True)
    name = torch.cuda.get_device_name() if DEVICE == "cuda" else DEVICE
    print(f"PyTorch {torch.__version__}, {name}, Python {sys.version.split()[0]}", flush=True)
    wanted = [check for check in CHECKS if not options.checks or check.__name__ in options.checks]
    return 0 if all([try_check(check, options.out) for check in wanted]) else 1


if __name__ == "__main__":
    sys.exit(main())
