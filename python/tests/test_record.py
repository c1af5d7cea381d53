"""PyTorch: what record() takes, and what it does with the trainings of others: compiled networks, batches of any form, closures."""
import collections
import contextlib
import dataclasses
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

try:
    import numpy
    import torch
except ImportError as error:
    raise unittest.SkipTest("PyTorch is not installed") from error
from torch import nn
from torch.utils.checkpoint import checkpoint

import samebits.torch as sb
from samebits import _library as library

HAS_PROGRAM = shutil.which("samebits")


def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))


def data(n=4):
    generator = torch.Generator().manual_seed(1)
    return [(torch.randn(8, 6, generator=generator), torch.randn(8, 1, generator=generator)) for _ in range(n)]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name + ".h5")

    @staticmethod
    def said(function, *arguments):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            function(*arguments)
        return said.getvalue()

    def diff(self, a, b):
        done = subprocess.run(["samebits", "diff", "--json", self.path(a), self.path(b)], capture_output=True, text=True)
        return json.loads(done.stdout)

    def assert_differs(self, a, b, part, tensor, update=3):
        found = self.diff(a, b)
        self.assertEqual((found["first_difference"], found["part"], found["part_tensor"]), (update, part, tensor))

    def assert_same(self, a, b):
        self.assertTrue(self.diff(a, b)["same_bits"])

    def train(self, name, step=None, call=None, net=None, optimizer=None, update=True, **options):
        """step(run, net, x, y, u) computes the loss; call(run, u, x, y) comes before it."""
        net = net or network()
        optimizer = optimizer or torch.optim.SGD(net.parameters(), lr=0.1)
        torch.manual_seed(3)
        with sb.record(net, optimizer, self.path(name), **options) as run:
            for u, (x, y) in enumerate(data(), 1):
                if call:
                    call(run, u, x, y)
                loss = step(run, net, x, y, u) if step else (net(x) - y).pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                if update:
                    run.update(loss)
        return run


@unittest.skipUnless(HAS_PROGRAM, "the program samebits is not on the path")
class CompiledTest(Case):
    """A compiled network is recorded as the one that was compiled."""

    def test_wrapper(self):
        for update in (True, False):
            plain, compiled = f"plain{update}", f"compiled{update}"
            self.train(plain, update=update)
            net = network()
            run = self.train(compiled, update=update, net=torch.compile(net, backend="aot_eager"),
                             optimizer=torch.optim.SGD(net.parameters(), lr=0.1))
            self.assertEqual(run._done, 4)
            self.assertEqual([name for name in run._names[3].list if "_orig_mod" in name], [])
            found = self.diff(plain, compiled)
            self.assertNotIn(found["part"], ("parameters", "batch"))
            self.assertTrue(found["same_bits"], found)

    def test_inner(self):
        """The network is recorded, and its compiled wrapper is called."""
        net = network()
        compiled = torch.compile(net, backend="aot_eager", fullgraph=True)
        self.train("plain")
        run = self.train("inner", lambda run, net, x, y, u: (compiled(x) - y).pow(2).mean(), net=net)
        self.assertEqual(run._names[0].list, ["batch 0"])
        self.assert_same("plain", "inner")

    def test_in_place(self):
        """model.compile(): nothing around the network shows that it is compiled."""
        for update in (True, False):
            net = network()
            self.train(f"plain{update}", update=update)
            net.compile(backend="aot_eager", fullgraph=True)
            call = net._compiled_call_impl
            run = self.train(f"compiled{update}", net=net, update=update)
            self.assertIs(net._compiled_call_impl, call)
            self.assertEqual((run._names[0].list, run._done), (["batch 0"], 4))
            self.assert_same(f"plain{update}", f"compiled{update}")

    def test_watched_and_traced(self):
        net = network()
        run = self.train("traced", net=torch.compile(net, backend="aot_eager"), optimizer=torch.optim.SGD(net.parameters(), lr=0.1),
                         trace=2, watch=True, check=())
        self.assertEqual(run.findings, [])
        self.assertTrue(os.path.exists(self.path("traced.u2.trace")))


Pair = collections.namedtuple("Pair", "x y")


@dataclasses.dataclass
class Sample:
    x: torch.Tensor
    more: dict


class Encoding(collections.UserDict):
    """As the ones of tokenizers are: a mapping that is no dict."""


@unittest.skipUnless(HAS_PROGRAM, "the program samebits is not on the path")
class BatchTest(Case):
    """What is learned from may have any form."""

    def test_forms(self):
        forms = {  # of a batch: its one tensor that may change, and the name it has
            "dict": (lambda t: {"x": t}, "batch 0.x"),
            "nested": (lambda t: {"a": [1, {"b": (t,)}]}, "batch 0.a.1.b.0"),
            "pair": (lambda t: Pair(t, None), "batch 0.0"),
            "dataclass": (lambda t: Sample(torch.zeros(2), {"t": t}), "batch 0.more.t"),
            "mapping": (lambda t: Encoding({"ids": t}), "batch 0.ids"),
            "array": (lambda t: t.numpy(), "batch 0"),
            "arrays": (lambda t: [{"v": t.numpy()}], "batch 0.0.v"),
            "numbers": (lambda t: {"t": torch.zeros(1), "n": t.flatten().tolist()}, "batch 0.n"),
            "text": (lambda t: {"t": torch.zeros(1), "label": str(float(t.sum()))}, "batch 0.label"),
        }
        for name, (form, leaf) in forms.items():
            with self.subTest(name):
                for side in "ab":
                    self.train(name + side, call=lambda run, u, x, y: run.batch(form(x + (1 if side == "b" and u == 3 else 0))))
                self.assert_differs(name + "a", name + "b", "batch", leaf)

    def test_keywords(self):
        """model(**batch): the hook sees what has a name too."""
        class Named(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = network()

            def forward(self, inputs=None, labels=None):
                return (self.layer(inputs) - labels).pow(2).mean()

        for side in "ab":
            def step(run, net, x, y, u):
                order = torch.arange(7, -1, -1) if side == "b" and u == 3 else torch.arange(8)
                return net(**Encoding({"inputs": x[order], "labels": y[order]}))
            self.train(side, step, net=Named())
        self.assert_differs("a", "b", "batch", "batch inputs")
        self.assertEqual(self.diff("a", "b")["part_how"], "the same samples in another order")

    def test_given_without_update(self):
        """The batch that is given after a step is the one of the next update."""
        def call(run, u, x, y):
            run.batch(x, y)
        for options in ({}, {"trace": 2, "check": ()}):
            a, b = f"a{len(options)}", f"b{len(options)}"
            self.train(a, call=call, **options)
            run = self.train(b, call=call, update=False, **options)
            self.assertEqual((run._done, run._names[0].list), (4, ["batch 0", "batch 1"]))
            self.assert_same(a, b)

    def test_nothing_to_record(self):
        said = self.said(lambda: self.train("none", call=lambda run, u, x, y: run.batch(object())))
        self.assertEqual(said.count("is of type object, and is not recorded"), 1)
        found = subprocess.run(["samebits", "found", self.path("none")], capture_output=True, text=True)
        self.assertIn("not recorded", found.stdout)

    def test_accumulated(self):
        """Two forward passes an update: each has a batch, whether update() is called or not."""
        for update in (True, False):
            net = network()
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            with sb.record(net, optimizer, self.path(f"two{update}")) as run:
                for u, (x, y) in enumerate(data()):
                    (net(x) - y).pow(2).mean().backward()
                    if u % 2:
                        optimizer.step()
                        if update:
                            run.update()
            self.assertEqual(run._names[0].list, ["batch 0", "batch 1"])
            self.assertEqual(run._done, 2)


    def test_checkpointed(self):
        """Activation checkpointing of the whole network: the backward pass calls it again, which is no batch."""
        for is_reentrant in (True, False):
            def step(run, net, x, y, u):
                x = x.requires_grad_()
                return (checkpoint(net, x, use_reentrant=is_reentrant) - y).pow(2).mean()
            for update in (True, False):
                run = self.train(f"{is_reentrant}{update}", step, update=update)
                self.assertEqual((run._done, run._names[0].list), (4, ["batch 0"]))

    def test_resumed(self):
        """The first update after a resume may have fewer batches than those before."""
        net = network()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for n, resume in ((2, False), (1, True)):
            with sb.record(net, optimizer, self.path("a"), resume=resume, strict=True) as run:
                for x, y in data(n):
                    run.batch(x)
                    (net(x) - y).pow(2).mean().backward()
                optimizer.step()
                run.update()
        self.assertEqual(run.findings, [])


@unittest.skipUnless(HAS_PROGRAM, "the program samebits is not on the path")
class AlsoTest(Case):
    """What lasts from update to update is recorded, or refused at the start."""

    def test_kinds(self):
        class Average:
            def __init__(self):
                self.value = torch.zeros(3)

            def state_dict(self):
                return {"decay": 0.9, "shadow": [self.value]}

        average = Average()
        scheduler = torch.optim.lr_scheduler.StepLR(torch.optim.SGD(network().parameters(), lr=1.0), 100)
        scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
        scaler.scale(torch.zeros(()))  # makes its tensors

        def more(thing):
            if isinstance(thing, Average):
                thing.value += 1
            elif thing is scheduler:
                scheduler.last_epoch += 1
            elif thing is scaler:
                scaler.update(16.0)
            elif isinstance(thing, numpy.ndarray):
                thing += 1
            elif isinstance(thing, list):
                thing[0] += 1
            else:
                thing["a"]["b"] = thing["a"]["b"] + 1

        for name, thing, leaf in (("array", numpy.zeros(3), "thing"), ("nested", {"a": {"b": torch.zeros(2)}}, "thing.a.b"),
                                  ("number", {"a": {"b": 0.5}}, "thing.a.b"), ("list", [1, 2.5], "thing"),
                                  ("average", average, "thing.shadow.0"), ("scheduler", scheduler, "thing.last_epoch"),
                                  ("scaler", scaler, "thing.scale")):
            with self.subTest(name):
                self.train(name + "a", also={"thing": thing})
                self.train(name + "b", also={"thing": thing}, call=lambda run, u, x, y: more(thing) if u == 3 else None)
                self.assert_differs(name + "a", name + "b", "state", leaf)

    def test_refused(self):
        for thing in (object(), print, {"a": object()}, [object()], numpy.random.default_rng(0)):
            with self.assertRaisesRegex(TypeError, "which cannot be recorded"):
                sb.record(network(), None, self.path("a"), also={"thing": thing})
        with self.assertRaisesRegex(TypeError, "also: a dictionary"):
            sb.record(network(), None, self.path("a"), also=[1])


@unittest.skipUnless(HAS_PROGRAM, "the program samebits is not on the path")
class GradientTest(Case):
    """The gradient of an update is the one that each optimizer steps with."""

    def closures(self, name, kind, is_edited, update=True, as_keyword=False):
        net = network()
        optimizer = torch.optim.LBFGS(net.parameters(), max_iter=2) if kind == "LBFGS" else torch.optim.SGD(net.parameters(), lr=0.1)
        with sb.record(net, optimizer, self.path(name), trace=3, check=()) as run:
            for u, (x, y) in enumerate(data(), 1):
                def closure():
                    optimizer.zero_grad()
                    loss = (net(x) - y).pow(2).mean()
                    loss.backward()
                    if is_edited and u == 3:
                        net[2].bias.grad += 1e-6
                    return loss
                loss = optimizer.step(closure=closure) if as_keyword else optimizer.step(closure)
                if update:
                    run.update(loss)

    def test_closures(self):
        for kind in ("SGD", "LBFGS"):
            for update in (True, False):
                with self.subTest(kind=kind, update=update):
                    a, b = f"{kind}{update}a", f"{kind}{update}b"
                    self.closures(a, kind, False, update)
                    self.closures(b, kind, True, update, as_keyword=True)
                    self.assert_differs(a, b, "gradient", "2.bias")

    def test_phases(self):
        """Operations of a closure are forward and backward ones."""
        phases = {}

        def spy(tracer):
            write = tracer.write

            def written(*arguments):
                for row in tracer.rows:
                    if not row.mark:
                        phases.setdefault(row.phase, set()).add(row.operation)
                return write(*arguments)
            tracer.write = written

        net = network()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        with sb.record(net, optimizer, self.path("phases"), trace=1, check=()) as run:
            spy(run._tracer)
            x, y = data()[0]

            def closure():
                optimizer.zero_grad()
                loss = nn.functional.mse_loss(net(x), y)
                loss.backward()
                return loss
            run.update(optimizer.step(closure))
        self.assertIn("addmm", phases[0])
        self.assertIn("tanh_backward", phases[1])
        self.assertTrue(phases[2])
        self.assertFalse(phases[2] & {"addmm", "mm", "tanh", "tanh_backward", "mse_loss"})

    def gan(self, name, edited):
        """edited: whose gradient is changed in update 3"""
        torch.manual_seed(0)
        nets = nn.ModuleDict({"g": nn.Linear(6, 1), "d": nn.Linear(1, 1)})
        of_d, of_g = (torch.optim.SGD(nets[k].parameters(), lr=0.1) for k in "dg")
        with sb.record(nets, [of_d, of_g], self.path(name)) as run:
            for u, (x, y) in enumerate(data(), 1):
                run.batch(x, y)
                for which, optimizer in (("d", of_d), ("g", of_g)):
                    of_d.zero_grad()
                    of_g.zero_grad()
                    made = nets["g"](x)
                    made = made.detach() if which == "d" else made
                    (nets["d"](made) - nets["d"](y)).pow(2).mean().backward()
                    if which == edited and u == 3:
                        nets[which].weight.grad[0, 0] += 1e-4
                    optimizer.step()
                run.update()

    def test_two_optimizers(self):
        self.gan("a", "")
        for which in "dg":
            self.gan("b" + which, which)
            self.assert_differs("a", "b" + which, "gradient", which + ".weight")

    def test_skipped_step(self):
        """A scaler skips the step of update 3 in one run."""
        for side in "ab":
            net = network()
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            scaler = torch.amp.GradScaler("cpu", init_scale=2.0)
            with sb.record(net, optimizer, self.path(side)) as run:
                for u, (x, y) in enumerate(data(), 1):
                    optimizer.zero_grad()
                    loss = (net(x) - y).pow(2).mean()
                    scaler.scale(loss).backward()
                    if side == "b" and u == 3:
                        net[0].weight.grad[0, 0] = float("inf")
                    scaler.step(optimizer)
                    scaler.update(2.0)
                    run.update(loss)
        found = self.diff("a", "b")
        self.assertEqual((found["first_difference"], found["part"], found["part_kind"]), (3, "gradient", "no step"))
        self.assertEqual(found["part_how"], "run B made no optimizer step in this update")

    def test_second_step(self):
        """Of two steps in one update the second counts too."""
        for side in "ab":
            net = network()
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            with sb.record(net, optimizer, self.path(side)) as run:
                for u, (x, y) in enumerate(data(), 1):
                    for k in range(2):
                        optimizer.zero_grad()
                        (net(x) - y).pow(2).mean().backward()
                        if side == "b" and k == 1 and u == 3:
                            net[2].bias.grad += 1e-6
                        optimizer.step()
                    run.update()
        self.assert_differs("a", "b", "gradient", "2.bias (2)")


class EveryTest(Case):
    def counted(self, name, update, **options):
        """Calls per update of what computes gradients and settings."""
        net = network()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        calls = []
        with sb.record(net, optimizer, self.path(name), every=2, strict=True, **options) as run, \
                unittest.mock.patch.object(sb._state, "settings_text", return_value="") as settings:
            gradients = run._gradients = unittest.mock.Mock(return_value=[])
            for x, y in data():
                (net(x) - y).pow(2).mean().backward()
                optimizer.step()
                if update:
                    run.update()
                calls.append((gradients.call_count, settings.call_count))
        return calls

    def test_dropped_updates(self):
        """Of an update without an entry neither gradients nor settings are computed."""
        for update in (True, False):
            with self.subTest(update=update):
                self.assertEqual(self.counted(f"{update}", update), [(0, 0), (1, 1), (1, 1), (2, 2)])

    @unittest.skipUnless(HAS_PROGRAM, "the program samebits is not on the path")
    def test_first_update_of_two_steps(self):
        """The first update of a session, here update 2, has two steps: its entry has both gradients."""
        for side in "ab":
            net = network()
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            with sb.record(net, optimizer, self.path(side), every=2, strict=True) as run:
                run._done = run._first = 1
                for k in range(2):
                    net.zero_grad()
                    (net(data()[k][0])).pow(2).mean().backward()
                    if side == "b" and k == 1:
                        net[2].bias.grad += 1e-3
                    optimizer.step()
                run.update()
        self.assert_differs("a", "b", "gradient", "2.bias (2)", 2)


class StateTest(Case):
    def test_dictionaries(self):
        """The state of an optimizer of one's own may have dictionaries and lists."""
        class Own(torch.optim.SGD):
            def step(self, closure=None):
                for p in self.param_groups[0]["params"]:
                    self.state[p].update({"more": {"mean": p.grad.clone(), "n": 1}, "list": [p.grad.sum()]})
                return super().step(closure)
        net = network()
        run = self.train("a", net=net, optimizer=Own(net.parameters(), lr=0.1))
        self.assertLessEqual({"more.mean of 0.weight", "more.n of 2.bias", "list[0] of 0.weight"}, set(run._names[2].list))


class ChangingTest(Case):
    """The network and its optimizers may change while the training runs."""

    def names(self, run, part):
        return run._names[part].list

    def test_another_optimizer(self):
        """The program creates a new one after update 2: its gradients and state are recorded, whether update() is called or not."""
        for update in (True, False):
            net = network()
            optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
            def train():
                nonlocal optimizer
                with sb.record(net, optimizer, self.path(f"{update}")) as run:
                    for u, (x, y) in enumerate(data(), 1):
                        if u == 3:
                            optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
                        loss = (net(x) - y).pow(2).mean()
                        optimizer.zero_grad()
                        loss.backward()
                        optimizer.step()
                        if update:
                            run.update(loss)
                self.assertEqual(run._done, 4)
                self.assertIn("momentum_buffer of 0.weight", self.names(run, 2))
                self.assertEqual([optimizer], run._optimizers)
            self.assertIn("update 3: another optimizer (SGD) trains the network", self.said(train))
            self.assertEqual(len(optimizer._optimizer_step_pre_hooks), 0)

    def test_forgotten_optimizer(self):
        """Of two optimizers one was given; that of another network is none of this recording."""
        net, other = network(), network()
        first, second, third = (torch.optim.SGD(p, lr=0.1) for p in (net[0].parameters(), net[2].parameters(), other.parameters()))

        def train():
            with sb.record(net, first, self.path("a")) as run:
                for x, y in data():
                    ((net(x) - y).pow(2).mean() + other(x).mean()).backward()
                    for optimizer in (first, second, third):
                        optimizer.step()
                        optimizer.zero_grad()
                    run.update()
            self.assertEqual(run._optimizers, [first, second])
            self.assertEqual({name.split()[0] for name in self.names(run, 1)}, {name for name, _ in net.named_parameters()})
        self.assertEqual(self.said(train).count("another optimizer (SGD) trains the network, and is recorded from here on, in addition"), 1)

    def shared_head(self, name, update, is_head_first, edited=False):
        """An optimizer of the whole network and one of its head step in each update; the second one was not given."""
        net = network()
        whole, head = torch.optim.Adam(net.parameters(), lr=0.1), torch.optim.SGD(net[2].parameters(), lr=0.1, momentum=0.9)
        with sb.record(net, whole, self.path(name), strict=True) as run:
            for u, (x, y) in enumerate(data(), 1):
                net.zero_grad()
                (net(x) - y).pow(2).mean().backward()
                for optimizer in (head, whole) if is_head_first else (whole, head):
                    if edited and u == 3 and optimizer is head:
                        net[2].bias.grad += 1e-3
                    optimizer.step()
                if update:
                    run.update()
        return run, whole, head

    def test_shared_head(self):
        """An optimizer that still steps is recorded, though another one has some of its parameters."""
        for update in (True, False):
            for is_head_first in (True, False):
                with self.subTest(update=update, is_head_first=is_head_first):
                    run, whole, head = self.shared_head(f"a{update}{is_head_first}", update, is_head_first)
                    self.assertEqual({id(one) for one in run._optimizers}, {id(whole), id(head)})
                    self.assertEqual(run._done, 4)
                    self.assertLessEqual({"exp_avg of 0.weight", "exp_avg of 2.bias", "momentum_buffer of 2.bias"}, set(self.names(run, 2)))
                    self.assertLessEqual({"0.weight", "2.bias", "2.bias (2)"}, set(self.names(run, 1)))

    @unittest.skipUnless(HAS_PROGRAM, "the program samebits is not on the path")
    def test_shared_head_gradient(self):
        self.shared_head("a", True, False)
        self.shared_head("b", True, False, edited=True)
        self.assert_differs("a", "b", "gradient", "2.bias (2)")

    def test_smaller_optimizer(self):
        """From update 3 on the head alone is trained: the first optimizer is not in use any more."""
        for update in (True, False):
            net = network()
            optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
            with sb.record(net, optimizer, self.path(f"{update}"), strict=True) as run:
                for u, (x, y) in enumerate(data(), 1):
                    if u == 3:
                        optimizer = torch.optim.SGD(net[2].parameters(), lr=0.1)
                    (net(x) - y).pow(2).mean().backward()
                    optimizer.step()
                    if update:
                        run.update()
            self.assertEqual((run._optimizers, run._done), ([optimizer], 4))

    def test_step_that_raises(self):
        """The program catches what a step raises, and goes on with a new optimizer."""
        class Raising(torch.optim.SGD):
            def step(self, closure=None):
                raise RuntimeError("mine")

        def closure():
            raise RuntimeError("mine")
        for update in (True, False):
            for kind, arguments in ((torch.optim.SGD, (closure,)), (Raising, ())):
                net = network()
                optimizer = kind(net.parameters(), lr=0.1)
                with self.subTest(update=update, kind=kind), \
                        sb.record(net, optimizer, self.path(f"{update}{kind.__name__}"), strict=True) as run:
                    for u, (x, y) in enumerate(data(), 1):
                        if u == 2:
                            optimizer, arguments = torch.optim.SGD(net.parameters(), lr=0.1), ()
                        (net(x) - y).pow(2).mean().backward()
                        try:
                            optimizer.step(*arguments)
                        except RuntimeError:
                            pass
                        if update:
                            run.update()
                    self.assertEqual(run._optimizers, [optimizer])

    def test_wrappers(self):
        """An optimizer around another one, with hooks of its own or without, is the optimizer that it contains."""
        class Around(torch.optim.Optimizer):
            def __init__(self, inside):
                self.inside = inside

            def step(self, closure=None):
                return self.inside.step(closure)

            zero_grad = property(lambda self: self.inside.zero_grad)
            param_groups = property(lambda self: self.inside.param_groups)
            state = property(lambda self: self.inside.state)

        class Scaled(torch.optim.Optimizer):
            def __init__(self, parameters):
                super().__init__(parameters, {})
                self.inside = torch.optim.SGD(self.param_groups, lr=0.1)

            def step(self, closure=None):
                return self.inside.step(closure)

        for name, make in (("around", lambda p: Around(torch.optim.SGD(p, lr=0.1))), ("scaled", Scaled)):
            for update in (True, False):
                net = network()
                said = self.said(lambda: self.train(f"{name}{update}", net=net, optimizer=make(net.parameters()), update=update))
                self.assertEqual(said, "")
                if HAS_PROGRAM:
                    self.train(f"plain{name}{update}", update=update)
                    self.assert_same(f"{name}{update}", f"plain{name}{update}")

    def test_grown(self):
        """Parameters that come later have their names."""
        net = network()
        optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
        with sb.record(net, optimizer, self.path("a")) as run:
            for u, (x, y) in enumerate(data(), 1):
                if u == 3:
                    net.append(nn.Linear(1, 1))
                    optimizer.add_param_group({"params": net[3].parameters()})
                (net(x) - y).pow(2).mean().backward()
                optimizer.step()
                run.update()
        self.assertIn("exp_avg of 3.weight", self.names(run, 2))
        self.assertIn("exp_avg of 3.bias", self.names(run, 2))
        self.assertEqual(len(self.names(run, 2)), 18)

    @unittest.skipUnless(HAS_PROGRAM, "the program samebits is not on the path")
    def test_ended_by_an_error(self):
        """Why a recording is not complete; without update() the last update that ended is recorded."""
        for update in (True, False):
            def stop(run, net, x, y, u):
                if u == 4:
                    raise StopIteration("no gain")
                return (net(x) - y).pow(2).mean()
            with self.assertRaises(StopIteration):
                self.train(f"{update}", stop, update=update, call=None)
            done = subprocess.run(["samebits", "diff", self.path(f"{update}"), self.path(f"{update}")], capture_output=True, text=True)
            self.assertIn("incomplete: the training ended with StopIteration: no gain", done.stdout + done.stderr)
            self.assertIn(f"up to update {3 if update else 2}", done.stdout)


class WatchedTest(Case):
    def train_shared(self):
        """A target that changes before the backward pass reads it, from update 3 on."""
        net = network()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        buffer = numpy.zeros((8, 1), numpy.float32)
        with sb.record(net, optimizer, None, watch=True) as run:
            for u, (x, y) in enumerate(data(6), 1):
                buffer[:] = y.numpy()
                loss = nn.functional.mse_loss(net(x), torch.from_numpy(buffer))
                if u > 2:
                    buffer[0] += 1
                loss.backward()
                optimizer.step()
                run.update(loss)
        self.assertEqual(len(run.changes), 4)

    def test_equal_findings(self):
        """Those of one place have one line, and another one that counts them."""
        lines = self.said(self.train_shared).splitlines()
        self.assertEqual(len(lines), 3, lines)
        changed = "changed before MseLossBackward0 read it"
        self.assertRegex(lines[0], rf"^samebits: watch: float32 \[8, 1\], saved at .*, {changed}; 1 of 8 numbers")
        self.assertRegex(lines[1], rf"^samebits: watch: saved at .*, {changed}: and 3 more, first in update 3$")
        self.assertEqual(lines[2], "samebits: watch: 4 findings in 6 updates")

    def train_two(self, has_names):
        """Input and target of one line are shared, and both change before the backward pass reads them."""
        net = network()
        x, y = torch.randn(8, 6), torch.randn(8, 6)
        with sb.record(net, torch.optim.SGD(net.parameters(), lr=0.1), None, watch=True) as run:
            for _ in range(3):
                inputs, target = (torch.from_numpy(t.numpy()) for t in (x, y))
                if has_names:
                    run.batch(inputs=inputs, target=target)
                loss = nn.functional.mse_loss(inputs.requires_grad_(), target)
                x.numpy()[0] += 1
                y.numpy()[0] += 1
                loss.backward()
                run.update(loss)

    def test_two_tensors_of_a_line(self):
        """Each changed tensor has a line, and a line that counts its other findings."""
        first = r"{}float32 \[8, 6\], saved at .*, changed before MseLossBackward0 read it; "
        others = r"{}saved at .*, changed before MseLossBackward0 read it: and 2 more, first in update 1$"
        for names in (("batch inputs, ", "batch target, "), ("", "")):
            lines = self.said(self.train_two, names[0] != "").splitlines()
            self.assertEqual(len(lines), 5, lines)
            for line, expected, name in zip(lines, [first] * 2 + [others] * 2, names * 2):
                self.assertRegex(line, "^samebits: watch: " + expected.format(name))

    def test_names_of_an_update(self):
        """Memory of a batch that was given back may get another tensor, which has not its name."""
        run = self.train("a", call=lambda run, u, x, y: run.batch(x, y), watch=True)
        self.assertEqual(run._addresses, {})


@unittest.skipUnless(HAS_PROGRAM, "the program samebits is not on the path")
class LayoutTest(Case):
    """Buffers that are quantized, nested or sparse are recorded by their parts."""

    @staticmethod
    def buffers(edited):
        value = torch.tensor([0.1, 0.2, 0.3 + (0.1 if edited else 0)])
        channels = torch.quantize_per_channel(value[:, None], torch.tensor([0.1] * 3), torch.tensor([0] * 3), 0, torch.qint8)
        return {"tensor": torch.quantize_per_tensor(value, 0.1, 3, torch.quint8), "channel": channels,
                "nested": torch.nested.nested_tensor([value[:1], value[1:]]), "coo": value.to_sparse(), "csr": value[None].to_sparse_csr(),
                "ragged": torch.nested.nested_tensor([value[:1], value[1:]], layout=torch.jagged)}

    def test_buffers(self):
        for name in self.buffers(False):
            with self.subTest(name):
                for side in "ab":
                    net = network()
                    net.register_buffer("thing", self.buffers(False)[name])

                    def call(run, u, x, y):
                        if u == 3:
                            net.thing = self.buffers(side == "b")[name]
                    run = self.train(name + side, call=call, net=net, optimizer=torch.optim.SGD(net.parameters(), lr=0.1),
                                     watch=True, trace=3, check=(), strict=True)
                    self.assertEqual((run._done, run.findings), (4, []))
                self.assert_differs(name + "a", name + "b", "state", "thing")


class WrongArgumentsTest(Case):
    """A wrong argument ends with a sentence before the training begins."""

    def test_refused(self):
        net = network()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        lazy = nn.Sequential(nn.LazyLinear(4))
        missing, is_root = os.path.join(self.folder.name, "no", "a.h5"), os.getuid() == 0
        path = self.path("a")
        for wrong, sentence, arguments, options in (
                (TypeError, "swapped", (optimizer, net, path), {}),
                (TypeError, "must be a torch.nn.Module, not generator", (net.parameters(), optimizer, path), {}),
                (TypeError, "must be a torch.optim.Optimizer or a list of them, not generator", (net, net.parameters(), path), {}),
                (TypeError, "the optimizer is a network", (net, net, path), {}),
                (ValueError, "0.weight of the network has no shape yet", (lazy, optimizer, path), {}),
                (FileNotFoundError, "there is no folder", (net, optimizer, missing), {}),
                (FileNotFoundError, "there is no folder", (net, optimizer, path), {"trace_path": missing, "trace": 1}),
                (IsADirectoryError, "is a folder", (net, optimizer, self.folder.name), {}),
                (TypeError, "the path of a file is needed, not 3", (net, optimizer, 3), {}),
                (ValueError, "path: the file", (net, optimizer), {}),
                (TypeError, "config: a dictionary", (net, optimizer, path), {"config": 3}),
                *((ValueError, "config: a name of 1 to 200 bytes without '/'", (net, optimizer, path), {"config": {"a": 1, name: 1}})
                  for name in ("train/lr", "", "x" * 201)),
                (ValueError, "'double' and 'twice'", (net, optimizer, path), {"check": "tripple"}),
                (ValueError, "keep: a number of bytes", (net, optimizer, path), {"watch": True, "keep": "1MB"}),
                (ValueError, "on_change:", (net, optimizer, path), {"watch": True, "on_change": "x"}),
                *((ValueError, "every: a whole number from 1", (net, optimizer, path), {"every": n}) for n in (0, -1, 2.5, True, "2")),
                *((ValueError, "trace: a whole number from 1", (net, optimizer, path), {"trace": n}) for n in (0, -1, 2.5, "last")),
                (ValueError, "trace: one update is traced in a run, not 2", (net, optimizer, path), {"trace": [2, 3]}),
                (ValueError, "kept: a whole number from 1", (net, optimizer, path), {"trace": 1, "kept": [0]})):
            with self.subTest(sentence), self.assertRaisesRegex(wrong, sentence):
                sb.record(*arguments, **options)
        self.assertEqual(os.listdir(self.folder.name), [])
        if not is_root:
            os.chmod(self.folder.name, 0o500)
            with self.assertRaisesRegex(PermissionError, "cannot be written"):
                sb.record(net, optimizer, path)
            os.chmod(self.folder.name, 0o700)

    def test_home(self):
        home, os.environ["HOME"] = os.environ.get("HOME", ""), self.folder.name
        try:
            with sb.record(network(), None, "~/a.h5") as run:
                run.update()
        finally:
            os.environ["HOME"] = home
        self.assertTrue(os.path.exists(self.path("a")))

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-m", "samebits", "run", *arguments], capture_output=True, text=True)

    def test_of_the_program(self):
        script = os.path.join(self.folder.name, "s.py")
        with open(script, "w") as out:
            out.write("print('ran')")
        with open(self.path("there"), "w"):
            pass
        for sentence, arguments in (("nosuch.py: no such script", ("--record", self.path("a"), "nosuch.py")),
                                    ("from 1 on", ("--record", self.path("a"), "--every", "0", script)),
                                    ("from 1 on", ("--trace", "0", script)),
                                    ("from 1 on", ("--trace=-1", script)),
                                    ("there is no folder", ("--record", os.path.join(self.folder.name, "no", "a.h5"), script)),
                                    ("is there already", ("--record", self.path("there"), script))):
            done = self.run_script(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(sentence, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_script_in_another_folder(self):
        """The script changes its folder before the first forward pass."""
        os.mkdir(os.path.join(self.folder.name, "elsewhere"))
        with open(os.path.join(self.folder.name, "s.py"), "w") as out:
            out.write("""import os, torch
os.chdir("elsewhere")
net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for k in range(3):
    net(torch.ones(4, 2)).mean().backward()
    optimizer.step()
""")
        done = subprocess.run([sys.executable, "-m", "samebits", "run", "--record", "a.h5", "--trace", "2", "--trace-path", "t.h5", "s.py"],
                              capture_output=True, text=True, cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["a.h5", "elsewhere", "s.py", "t.h5"])
        self.assertEqual(os.listdir(os.path.join(self.folder.name, "elsewhere")), [])


class Broken:
    """Its state can be read so many times."""

    def __init__(self, times):
        self.times = times

    def state_dict(self):
        self.times -= 1
        if self.times < 0:
            raise KeyError("mine")
        return {}


class Speechless(Exception):
    def __str__(self):
        raise RuntimeError("no text")


class ClosedTest(Case):
    """However a recording ends, its file is closed and the hooks are removed."""

    def setUp(self):
        super().setUp()
        hooks = torch.nn.modules.module
        self.hooks = [hooks._global_forward_pre_hooks, hooks._global_forward_hooks]
        self.before = [len(some) for some in self.hooks]

    def tearDown(self):
        self.assertEqual([len(some) for some in self.hooks], self.before)
        super().tearDown()

    def test_not_begun(self):
        """Nothing is left of a recording that did not begin."""
        with self.assertRaisesRegex(KeyError, "mine"):
            sb.record(network(), None, self.path("a"), also={"thing": Broken(1)}).__enter__()
        self.assertEqual(os.listdir(self.folder.name), [])
        self.train("a", strict=True)

    def test_not_continued(self):
        """A recording that could not be continued keeps its entries, and can be continued later."""
        self.train("a", strict=True)
        with self.assertRaisesRegex(KeyError, "mine"):
            sb.record(network(), None, self.path("a"), resume=True, also={"thing": Broken(1)}).__enter__()
        self.assertEqual(os.listdir(self.folder.name), ["a.h5"])
        recording = library.Recording(self.path("a"), "test", resume=True)
        self.assertEqual(recording.last(), 4)
        recording.close(False)

    def fail(self, *arguments, **named):
        raise sb.Error(2, "mine")

    def end(self, name, expected, error=None, broken=(), **options):
        """Ends with what is expected, and the file can be continued."""
        with self.assertRaises(expected) if expected else contextlib.nullcontext():
            net = network()
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            with sb.record(net, optimizer, self.path(name), **options) as run:
                recording = run._recording
                (net(data()[0][0])).pow(2).mean().backward()
                optimizer.step()
                for thing, call in broken:
                    setattr(recording if thing == "recording" else run, call, self.fail)
                if error is not None:
                    raise error
        self.assertIsNone(recording._handle)
        library.Recording(self.path(name), "test", resume=True).close(False)

    def test_incomplete_fails(self):
        self.end("a", StopIteration, StopIteration("done"), [("recording", "incomplete")])
        self.end("b", sb.Error, StopIteration("done"), [("recording", "incomplete")], strict=True)

    def test_report_fails(self):
        self.end("a", None, None, [("run", "_write"), ("recording", "report"), ("recording", "incomplete")])

    def test_exception_without_text(self):
        self.end("a", Speechless, Speechless())

    def test_commit_fails(self):
        self.end("a", sb.Error, None, [("run", "_commit")], strict=True)
        self.end("b", sb.Error, StopIteration("done"), [("run", "_commit")], strict=True)

    def test_addresses_fail(self):
        """What watch needs fails, and the training goes on."""
        for update in (True, False):
            def stop(run, u, x, y):
                if u == 2:
                    run._learn_addresses = self.fail
            said = self.said(lambda: self.train(f"{update}", call=stop, update=update, watch=True))
            self.assertEqual(said.count("recording ends, and the training goes on: mine"), 1)
        with unittest.mock.patch.object(sb.record, "_learn_addresses", self.fail):
            said = self.said(lambda: self.train("a", watch=True))
        self.assertEqual(said.count("recording ends, and the training goes on: mine"), 1)


class TrainingGoesOnTest(Case):
    """The training never stops for the recorder, and what is not recorded is said."""

    def check(self, sentence, function):
        said = self.said(function)
        self.assertEqual(said.count(sentence), 1, said)

    def test_values(self):
        runs = []

        def train():
            net = network()
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            with sb.record(net, optimizer, self.path("a"), trace=2, check=()) as run:
                for x, y in data():
                    loss = (net(x) - y).pow(2)
                    loss.mean().backward()
                    optimizer.step()
                    run.update(loss, lr="0,1")
            runs.append(run)
        said = self.said(train)
        for sentence in ("loss must be one number, and a tensor of shape [8, 1] is not recorded", "lr must be one number, and '0,1' is"):
            self.assertEqual(said.count(sentence), 1, said)
        self.assertEqual([kind for _, kind, _ in runs[0].findings], ["not recorded"] * 2)
        self.assertEqual(runs[0]._done, 4)

    def test_names_of_values(self):
        """Any name becomes that of a column; two names have two columns."""
        values = {"train/loss": 1.0, "train_loss": 2.0, "seconds": 3.0, "Genauigkeit é": 4.0, "x" * 100: 5.0, "x" * 101: 6.0}

        def train():
            net = network()
            with sb.record(net, None, self.path("a"), strict=True) as run:
                run.update(0.5, **values)
                run.update(0.5, **values)
        said = self.said(train)
        self.assertEqual(said.count("'train/loss' is recorded as 'train_loss'"), 1, said)
        if HAS_PROGRAM:
            done = subprocess.run(["samebits", "export", self.path("a")], capture_output=True, text=True)
            head, row = (line.split(",") for line in done.stdout.splitlines()[:2])
            columns = dict(zip(head, row))
            self.assertEqual(float(columns["train_loss"]), 1.0)
            self.assertEqual(float(columns["train_loss_2"]), 2.0)
            self.assertEqual(float(columns["seconds_2"]), 3.0)
            self.assertEqual(float(columns["Genauigkeit__"]), 4.0)
            self.assertEqual(float(columns["loss"]), 0.5)

    def columns_of(self, *updates):
        """The columns that the values of each update are written to."""
        found, net = [], network()
        with sb.record(net, None, self.path("columns"), strict=True) as run:
            value = run._recording.value
            run._recording.value = lambda column, number: (found[-1].append(column), value(column, number))
            for values in updates:
                found.append([])
                run.update(**dict.fromkeys(values, 1.0))
        return found

    def test_long_names(self):
        """Names that agree in their first 60 characters have a column each."""
        self.assertEqual(self.columns_of(["x" * 60 + c for c in "abc"]), [["x" * 60, "x" * 55 + "_2", "x" * 55 + "_3"]])

    def test_columns_last(self):
        """A name has the same column in every update."""
        self.assertEqual(self.columns_of(["train/loss", "train_loss"], ["train_loss"]), [["train_loss", "train_loss_2"], ["train_loss_2"]])

    def test_first_letters(self):
        """A column begins with a letter or a digit."""
        self.assertEqual(self.columns_of(["_norm", "/loss", "\u00e9", "\u00c5ngstr\u00f6m", ".a", "-", ""]),
                         [["x_norm", "x_loss", "x_", "x_ngstr_m", "x.a", "x-", "x"]])

    def test_another_folder(self):
        """The program changes its folder after the recording began."""
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder.name)
        os.mkdir("elsewhere")
        self.train_at("a.h5")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["a.h5", "a.u2.trace.h5", "elsewhere"])
        self.assertEqual(os.listdir("."), [])

    def train_at(self, path):
        net = network()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        with sb.record(net, optimizer, path, trace=2, check=(), strict=True) as run:
            os.chdir("elsewhere")
            for x, y in data():
                (net(x) - y).pow(2).mean().backward()
                optimizer.step()
                run.update()

    def test_torch_func(self):
        """A network that is called inside torch.func: its batch is recorded."""
        net = network()
        weights = {name: p.detach().clone() for name, p in net.named_parameters()}
        for options in ({}, {"watch": True, "trace": 2, "check": ()}):
            with sb.record(net, None, self.path(f"a{len(options)}"), also={"weights": weights}, strict=True, **options) as run:
                for x, y in data():
                    gradient = torch.func.grad(lambda w: (torch.func.functional_call(net, w, (x,)) - y).pow(2).mean())(weights)
                    for name in weights:
                        weights[name] = weights[name] - 0.1 * gradient[name]
                    run.update()
            self.assertEqual((run._done, run._names[0].list, run.findings), (4, ["batch 0"], []))

    def test_any_error(self):
        """Whatever fails in the recorder."""
        runs = []
        self.check("recording ends, and the training goes on: KeyError: 'mine'",
                   lambda: runs.append(self.train("a", also={"thing": Broken(3)})))
        self.assertEqual([kind for _, kind, _ in runs[0].findings], ["recording ended"])
        with self.assertRaises(KeyError):
            self.train("b", also={"thing": Broken(3)}, strict=True)

    def test_without_with(self):
        def train():
            net = network()
            run = sb.record(net, torch.optim.SGD(net.parameters(), lr=0.1), self.path("a"))
            for x, y in data():
                run.batch(x, y)
                run.update(net(x).mean())
        self.check("update() is called outside of 'with record(...) as run', and nothing is recorded", train)

        def never():
            sb.record(network(), None, self.path("a"))
        self.check("record() was used without 'with': nothing was recorded", never)

    def test_no_updates(self):
        def silent():
            net = network()
            with sb.record(net, None, self.path("a")):
                for x, y in data():
                    net(x)
        self.check("0 updates were recorded: update() was not called, and there is no optimizer. Call run.update(loss)", silent)

        def skipped():
            net = network()
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            with sb.record(net, optimizer, self.path("b")):
                for x, y in data():
                    (net(x) - y).mean().backward()
        self.check("0 updates were recorded: update() was not called, and no step of the optimizer was seen", skipped)

    def test_trace_not_reached(self):
        self.check("trace: no trace was written: update 99 did not run, only 1 to 4", lambda: self.train("a", trace=99))


if __name__ == "__main__":
    unittest.main()
