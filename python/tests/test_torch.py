"""PyTorch: right programs give no finding and keep their bits, wrong ones are found, hashes of a device are the host's."""
import copy
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

try:
    import torch
except ImportError as error:
    raise unittest.SkipTest("PyTorch is not installed") from error
from torch import nn
from torch.utils.checkpoint import checkpoint

import samebits.torch as sb
from samebits import _torch_hash


def network(dropout=0.0):
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Dropout(dropout), nn.Linear(8 * 4 * 4, 5))


def data(n=3):
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(4, 3, 8, 8, generator=generator), torch.randint(0, 5, (4,), generator=generator)) for _ in range(n)]


def train(around=None, model=None, optimizer=None, batches=None, forward=None):
    """Final weights of a small training under what `around` gives."""
    model = model or network(0.2)
    optimizer = optimizer or torch.optim.Adam(model.parameters(), lr=0.01)
    context = around(model, optimizer) if around else None
    torch.manual_seed(3)
    if context is not None:
        context.__enter__()
    for x, y in batches or data():
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy((forward or model)(x), y)
        loss.backward()
        optimizer.step()
        if hasattr(context, "update"):
            context.update(loss)
    if context is not None:
        context.__exit__(None, None, None)
    return [p.detach().clone() for p in model.parameters()]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "a.h5")

    def tearDown(self):
        self.folder.cleanup()

    def assert_same(self, a, b):
        for x, y in zip(a, b):
            self.assertTrue(torch.equal(x.view(torch.int32), y.view(torch.int32)))


class BitsTest(Case):
    """Recorded, watched and traced runs have the bits of the plain run."""

    def test_bits(self):
        plain = train()
        watched = []

        def watch(model, optimizer):
            watched.append(sb.watch(model))
            return watched[0]

        self.assert_same(plain, train(watch))
        self.assertEqual(len(watched[0]), 0)
        self.assertGreater(watched[0].saved, 10)
        self.assert_same(plain, train(lambda m, o: sb.record(m, o, self.path, watch=True, trace=2)))
        self.assertTrue(os.path.exists(self.path[:-3] + ".u2.trace.h5"))

    def test_without_update(self):
        """One step an update: the optimizer's hook ends them."""
        plain = train()

        model = network(0.2)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        torch.manual_seed(3)
        with sb.record(model, optimizer, self.path) as recording:
            torch.manual_seed(3)
            for x, y in data():
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
        self.assert_same(plain, [p.detach() for p in model.parameters()])
        self.assertEqual(recording._done, 3)

    def test_worker_processes(self):
        """Workers of a data loader are forked from the process that records, and do not record."""
        batches = data(4)
        loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=2)
        plain = train(batches=batches)
        self.assert_same(plain, train(lambda m, o: sb.record(m, o, self.path, watch=True), batches=list(loader)))


class RightProgramsTest(Case):
    """What autograd allows is no finding."""

    def none_found(self, body):
        with sb.watch(on_change="report") as found:
            body()
        self.assertEqual([str(change) for change in found], [])
        self.assertGreater(found.saved, 0)

    def test_in_place(self):
        def body():
            x = torch.randn(4, 4, requires_grad=True)
            y = x * 2
            y.add_(1).relu_()
            (y.sum() ** 2).backward()
        self.none_found(body)

    def test_checkpointing(self):
        for reentrant in (True, False):
            def body():
                model = network(0.3)
                x = torch.randn(4, 3, 8, 8, requires_grad=True)
                checkpoint(model, x, use_reentrant=reentrant).sum().backward()
            self.none_found(body)

    def test_batch_norm(self):
        def body():
            model = nn.Sequential(nn.Linear(6, 6), nn.BatchNorm1d(6), nn.Linear(6, 1))
            for _ in range(3):
                (model(torch.randn(5, 6)) + model(torch.randn(5, 6))).sum().backward()
            mean, variance = torch.zeros(6), torch.ones(6)
            x = torch.randn(5, 6, requires_grad=True)
            y = nn.functional.batch_norm(x, mean, variance, training=True)
            nn.functional.batch_norm(y, mean, variance, training=True).pow(2).sum().backward()
        self.none_found(body)

    def test_frozen_batch_norm(self):
        def body():
            model = nn.Sequential(nn.Linear(6, 6), nn.BatchNorm1d(6))
            model[1].requires_grad_(False)
            (model(torch.randn(5, 6)) * model(torch.randn(5, 6))).sum().backward()
        self.none_found(body)

    def test_steps_and_averages(self):
        model = network()
        average = copy.deepcopy(model).requires_grad_(False)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

        def body():
            for x, y in data():
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
                with torch.no_grad():
                    for a, p in zip(average.parameters(), model.parameters()):
                        a.lerp_(p, 0.1)
        self.none_found(body)

    def test_twice_backward(self):
        def body():
            x = torch.randn(5, requires_grad=True)
            y = (x.exp() * x).sum()
            gradient, = torch.autograd.grad(y, x, create_graph=True)
            gradient.pow(2).sum().backward()
        self.none_found(body)

    def test_retained_graph(self):
        def body():
            x = torch.randn(5, requires_grad=True)
            y = (x.tanh() * x).sum()
            y.backward(retain_graph=True)
            y.backward()
        self.none_found(body)

    def test_recurrent_and_attention(self):
        def body():
            lstm, attention = nn.LSTM(4, 6), nn.MultiheadAttention(6, 2)
            x, _ = lstm(torch.randn(5, 2, 4))
            attention(x, x, x)[0].sum().backward()
        self.none_found(body)

    def test_own_function(self):
        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                x, = ctx.saved_tensors
                return 2 * x * g

        def body():
            x = torch.randn(5, requires_grad=True)
            Square.apply(x.sin()).sum().backward()
        self.none_found(body)

    def test_autocast_and_channels_last(self):
        def body():
            model = network().to(memory_format=torch.channels_last)
            x = torch.randn(4, 3, 8, 8).to(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16):
                loss = model(x).float().sum()
            loss.backward()
        self.none_found(body)

    def test_sparse(self):
        def body():
            table = nn.Embedding(10, 4, sparse=True)
            optimizer = torch.optim.SGD(table.parameters(), lr=0.1)
            for _ in range(2):
                optimizer.zero_grad()
                table(torch.tensor([1, 2, 2])).sum().backward()
                optimizer.step()
        self.none_found(body)

    def test_shared_and_not_changed(self):
        import numpy
        buffer = numpy.ones((4, 4), numpy.float32)

        def body():
            w = torch.randn(4, 4, requires_grad=True)
            for k in range(3):
                buffer[:] = k
                (torch.from_numpy(buffer) @ w).sum().backward()
        self.none_found(body)


class WrongProgramsTest(Case):
    def change(self, options=None):
        import numpy
        buffer = numpy.ones((4, 4), numpy.float32)
        w = torch.randn(4, 4, requires_grad=True)
        with sb.watch(**{"on_change": "report", **(options or {})}) as found:
            y = torch.from_numpy(buffer) @ w
            buffer[0, 0] = 7
            y.sum().backward()
        return found

    def test_buffer(self):
        is_known = hasattr(torch.UntypedStorage, "resizable")
        for options in ({}, {"only": "shared"}) if is_known else ({},):
            found = self.change(options)
            self.assertEqual(len(found), 1)
            self.assertEqual(found.changes[0].shared, is_known or None)
            self.assertEqual(found.changes[0].differing, 1 if is_known else None)
            self.assertIn("test_torch.py", found.changes[0].site)

    def test_raise(self):
        with self.assertRaises(sb.ChangedTensorError):
            self.change({"on_change": "raise"})

    def test_version_is_checked(self):
        """Under saved-tensor hooks PyTorch does not look at its version counters: watch does."""
        x = torch.randn(4, requires_grad=True)
        with sb.watch(on_change="report"):
            y = x.exp()
            z = y.sum()
            y.mul_(2)
            with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                z.backward()
                (y * y).sum().backward()

    def test_data(self):
        w = torch.randn(3, 3, requires_grad=True)
        with sb.watch(on_change="report") as found:
            y = (torch.randn(2, 3, requires_grad=True) @ w).sum()
            w.data.mul_(2)
            y.backward()
        self.assertEqual(len(found), 1)

    def test_resume_without_the_optimizer(self):
        model = network()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        with self.assertRaises(KeyboardInterrupt):
            with sb.record(model, optimizer, self.path) as run:
                for x, y in data(2):
                    nn.functional.cross_entropy(model(x), y).backward()
                    optimizer.step()
                    run.update()
                raise KeyboardInterrupt
        fresh = torch.optim.Adam(model.parameters(), lr=0.01)
        with sb.record(model, fresh, self.path, resume=True) as run:
            self.assertEqual(run.findings[0][1], "resumed otherwise")
            self.assertIn("optimizer", run.findings[0][2])
        other = network()
        sb.nudge(other, "0.weight")
        with sb.record(other, None, self.path, resume=True) as run:
            self.assertIn("weights", run.findings[0][2])


class CarriedTest(Case):
    def trace(self, name, change=None, **options):
        """The trace of one update of a small network of products; change is applied to what the first one reads."""
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 5))
        if options.get("nudge"):
            sb.nudge(model, seed=options.pop("nudge"))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        x, y = torch.randn(32, 64), torch.randint(0, 5, (32,))
        path = os.path.join(self.folder.name, f"{name}.trace.h5")
        with sb.trace(model, optimizer, path, check=(), **options) as run:
            run.batch(x, y)
            loss = nn.functional.cross_entropy(model[1:](model[0](change(x) if change else x)), y)
            loss.backward()
            optimizer.step()
            run.update(loss)
        return path

    def bisect(self, *arguments):
        return subprocess.run(["samebits", "bisect", *arguments], capture_output=True, text=True).stdout

    @unittest.skipUnless(shutil.which("samebits"), "the program samebits is not on the path")
    def test_carried(self):
        a = self.trace("a", sketch=True)
        nudged = [word for k in (1, 2, 3) for word in ("--nudged", self.trace(f"nudged{k}", sketch=True, nudge=k))]
        honest = self.trace("honest", lambda x: x.double().add(1e-9).float() * (1 + 2.0 ** -23), sketch=True)
        rounded = self.trace("rounded", lambda x: ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32), sketch=True)
        self.assertIn("within what rounding carries", self.bisect(a, honest, *nudged))
        self.assertIn("carried: output of 0 (output 0) is the first mark", self.bisect(a, rounded, *nudged))

    @unittest.skipUnless(shutil.which("samebits"), "the program samebits is not on the path")
    def test_kept(self):
        rows = tuple(range(1, 40))
        a, b = self.trace("a", kept=rows), self.trace("b", lambda x: x * 1.5, kept=rows)
        self.assertRegex(self.bisect(a, b), r"\d+ of \d+ numbers differ; the largest difference is")


RANK = """
import os, sys, torch, samebits.torch as sb
from torch import nn, distributed
rank, folder, first, faulty, sharded = int(sys.argv[1]), sys.argv[2], sys.argv[3], "faulty" in sys.argv, "sharded" in sys.argv
torch.set_num_threads(1)
distributed.init_process_group("gloo", init_method="file://" + first, rank=rank, world_size=2)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 4))
if sharded:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    mesh = init_device_mesh("cpu", (2,))
    for layer in (model[0], model[2], model):
        fully_shard(layer, mesh=mesh)
else:
    model = nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
from samebits._torch_trace import Tracer
write = Tracer.write
def spy(tracer, *arguments):
    with open(os.path.join(folder, f"read.{rank}"), "w") as out:
        for row in tracer.rows:
            print(row.operation, *[entry.role for entry in row.entries if not entry.flags & 1], file=out)
    write(tracer, *arguments)
Tracer.write = spy
with sb.record(model, optimizer, os.path.join(folder, "run.h5"), trace=2, watch=True, check=()) as run:
    assert run._model is getattr(model, "module", model)  # names without "module."
    for k in range(3):
        torch.manual_seed(10 * k + rank + (100 if faulty and k == 1 and rank == 1 else 0))
        x, y = torch.randn(8, 12), torch.randint(0, 4, (8,))
        run.batch(x, y)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        run.update(loss)
distributed.destroy_process_group()
sys.exit(len(run.findings))
"""


@unittest.skipUnless(shutil.which("samebits"), "the program samebits is not on the path")
class RanksTest(Case):
    def train(self, name, *options):
        folder = os.path.join(self.folder.name, name)
        os.makedirs(folder)
        ranks = [subprocess.Popen([sys.executable, "-c", RANK, str(rank), folder, folder + ".first", *options]) for rank in (0, 1)]
        self.assertEqual([rank.wait() for rank in ranks], [0, 0])
        return folder

    def test_sharded(self):
        """What an exchange fills is not read before. What an operation copies from afterwards is read."""
        try:
            from torch.distributed.fsdp import fully_shard  # noqa: F401
        except ImportError:
            self.skipTest("this PyTorch has no fully_shard")
        folder = self.train("sharded", "sharded")
        for rank in (0, 1):
            with open(os.path.join(folder, f"read.{rank}")) as lines:
                rows = [line.split() for line in lines]
            read = [row[1:] for row in rows if row[0] == "split_with_sizes_copy"]
            self.assertTrue(read)
            self.assertTrue(all("all_gather_output" in roles for roles in read), read)
            self.assertEqual([row for row in rows if row[0] == "all_gather_copy_in" and "all_gather_output" in row], [])

    def test_ranks(self):
        """Two processes: what they exchange is no change outside of operations, and diff names the rank."""
        if not torch.distributed.is_available():
            self.skipTest("this PyTorch has no processes that train together")
        a, b, c = self.train("a"), self.train("b"), self.train("c", "faulty")
        said = subprocess.run(["samebits", "diff", a, b], capture_output=True, text=True)
        self.assertEqual(said.returncode, 0, said.stdout)
        for rank in (0, 1):
            traces = [os.path.join(folder, f"run.r{rank}.u2.trace.h5") for folder in (a, b)]
            said = subprocess.run(["samebits", "bisect", *traces], capture_output=True, text=True)
            self.assertEqual(said.returncode, 0, said.stdout)
        said = subprocess.run(["samebits", "diff", a, c], capture_output=True, text=True).stdout
        self.assertIn("the first difference is on rank 1", said)
        self.assertIn("update 2, batch 0", said)


class FoundInOneTraceTest(Case):
    def test_changed_outside(self):
        """Memory that changed between the passes is a finding of the trace alone."""
        import numpy
        buffer = numpy.ones((4, 4), numpy.float32)
        model = nn.Linear(4, 4)
        with sb.trace(model, torch.optim.SGD(model.parameters(), lr=0.1), self.path, check=()) as run:
            loss = nn.functional.mse_loss(model(torch.randn(4, 4)), torch.from_numpy(buffer))
            buffer[:] = 2
            loss.backward()
            run.update(loss)
        self.assertEqual([(kind, "target" in text) for _, kind, text in run.findings], [("changed outside", True)])

    def test_nine_dimensions(self):
        x = torch.randn(1, 2, 1, 2, 1, 2, 1, 2, 3)
        self.assertEqual(sb.hash_tensor(x.transpose(1, 8)), sb.hash_tensor(x.transpose(1, 8).contiguous()))


class NudgeTest(Case):
    def test_one(self):
        for kind in (torch.float32, torch.bfloat16, torch.float16):
            model = nn.Linear(3, 2).to(kind)
            before = model.weight.detach().clone()
            sb.nudge(model, "weight", index=4, ulps=2)
            moved = (model.weight != before).nonzero()
            self.assertEqual(moved.tolist(), [[1, 1]])
            sb.nudge(model, "weight", index=4, ulps=-2)
            self.assertTrue(torch.equal(model.weight, before))

    def test_all(self):
        model = nn.Linear(30, 20)
        before = model.weight.detach().clone()
        sb.nudge(model)
        self.assertGreater((model.weight != before).float().mean(), 0.99)
        self.assertLess((model.weight - before).abs().max(), 1e-7)

    def test_wrong(self):
        with self.assertRaisesRegex(ValueError, "no parameter"):
            sb.nudge(nn.Linear(2, 2), "x")
        with self.assertRaisesRegex(ValueError, "index"):
            sb.nudge(nn.Linear(2, 2), "weight", index=9)


class HashTest(Case):
    def test_device_hash_is_the_hosts(self):
        """The CPU walks what a device computes."""
        for n in (1, 7, 16384, 16385, 3 * 16384, 5 * 16384 + 77):
            x = torch.randn(n)
            self.assertEqual(_torch_hash.device_hash(x), _torch_hash.hash_tensor(x), n)
        x = torch.randint(0, 255, (200000,), dtype=torch.uint8)
        self.assertEqual(_torch_hash.device_hash(x), _torch_hash.hash_tensor(x))

    def test_kinds(self):
        x = torch.randn(4, 5)
        self.assertEqual(sb.hash_tensor(x.t()), sb.hash_tensor(x.t().contiguous()))
        self.assertEqual(sb.hash_tensor(x.conj() if x.is_complex() else x), sb.hash_tensor(x.clone()))
        z = torch.randn(4, dtype=torch.complex64)
        self.assertEqual(sb.hash_tensor(z.conj()), sb.hash_tensor(z.conj().resolve_conj()))
        self.assertEqual(sb.hash_tensor(x.to_sparse()), sb.hash_tensor(x.clone().to_sparse()))
        self.assertEqual(sb.hash_tensor(torch.empty(3, device="meta")), bytes(16))


class FailureTest(Case):
    def test_second_recorder(self):
        model = network()
        with sb.record(model, None, self.path):
            with self.assertRaisesRegex(sb.Error, "is there already|locked"):
                sb.record(model, None, self.path).__enter__()

    def test_training_goes_on(self):
        """A recording that fails in the middle does not end the training."""
        def around(model, optimizer):
            run = sb.record(model, optimizer, self.path)

            def fail(*arguments):
                raise sb.Error(2, "the disk is full")
            run._write = fail
            return run
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assert_same(train(), train(around))


if __name__ == "__main__":
    unittest.main()
