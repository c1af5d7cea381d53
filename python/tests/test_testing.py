"""assert_same_bits, with the program and the library, without any framework."""
import os
import shutil
import tempfile
import unittest

import samebits
from samebits import _library as library
from samebits.testing import assert_same_bits


def h(number):
    return bytes([number % 251 + 1] * 16)


@unittest.skipUnless(shutil.which("samebits"), "the program samebits is not on the PATH")
class TestingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.a, self.b = self.path("a.h5"), self.path("b.h5")

    def path(self, name):
        return os.path.join(self.folder, name)

    def record(self, path, updates=3, fault=None, threads=1, rate=0.1):
        """Three updates of two tensors; from update `fault` on the gradient of the second one is another."""
        r = samebits.Recording(path, "a program")
        r.setting("threads", threads)
        r.names(library.GRADIENT, ["0.weight", "1.weight"])
        for update in range(1, updates + 1):
            r.settings_at(update, f"group 0 lr = {rate if update > 1 else 0.1}")
            r.begin(update)
            r.hash(library.GRADIENT, 0, h(update))
            r.hash(library.GRADIENT, 1, h(update + (100 if fault and update >= fault else 0)))
            r.hash(library.WEIGHTS, 0, h(update + (100 if fault and update >= fault else 0)))
            r.value("loss", update / 7)
            r.end()
        r.close(True)

    def trace(self, path, argument):
        t = library.Tracing(path, 2, "a program")
        t.row("mul", "1", "train.py:4 main", argument, "", 0, -1, False, -1.0, 0, 0,
              [("result", "", "float32", "[2]", "", "cpu", library.WRITTEN, 0, h(len(argument)), None, None)])
        t.close(True)

    def message(self):
        with self.assertRaises(AssertionError) as raised:
            assert_same_bits(self.a, self.b)
        return str(raised.exception)

    def test_the_same(self):
        self.record(self.a)
        self.record(self.b, threads=2)
        assert_same_bits(self.a, self.b)

    def test_first_difference(self):
        self.record(self.a)
        self.record(self.b, fault=2, threads=2)
        said = self.message()
        for words in ("a.h5 and", "b.h5 do not have the same bits", "first update: 2 (the same up to 1)", "part: gradient",
                      "tensor: 1.weight", "threads 1 | 2"):
            self.assertIn(words, said)
        self.assertNotIn("operation", said)

    def test_settings(self):
        self.record(self.a)
        self.record(self.b, fault=2, rate=0.2)
        self.assertIn("settings: group 0 lr 0.1 | 0.2", self.message())

    def test_first_operation(self):
        self.record(self.a)
        self.record(self.b, fault=2)
        self.trace(self.path("a.u2.trace.h5"), "")
        self.trace(self.path("b.u2.trace.h5"), "alpha=2")
        self.assertIn("first operation: mul, forward, 1, train.py:4 main (other argument)", self.message())

    def test_another_length(self):
        self.record(self.a)
        self.record(self.b, updates=2)
        self.assertIn("part: length", self.message())

    def test_no_recording(self):
        self.record(self.a)
        with open(self.b, "w") as broken:
            broken.write("no recording")
        for path in (self.b, self.path("absent.h5")):
            with self.assertRaises(samebits.Error) as raised:
                assert_same_bits(self.a, path)
            self.assertIn(os.path.basename(path), str(raised.exception))

    def test_no_program(self):
        before = os.environ.get("SAMEBITS_PROGRAM")
        os.environ["SAMEBITS_PROGRAM"] = self.path("samebits")
        try:
            with self.assertRaises(samebits.Error) as raised:
                assert_same_bits(self.a, self.b)
        finally:
            del os.environ["SAMEBITS_PROGRAM"]
            if before is not None:
                os.environ["SAMEBITS_PROGRAM"] = before
        self.assertIn("SAMEBITS_PROGRAM", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
