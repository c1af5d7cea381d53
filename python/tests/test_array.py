"""Recordings of NumPy arrays."""
import os
import tempfile
import unittest

try:
    import numpy
except ImportError as error:
    raise unittest.SkipTest("NumPy is not installed") from error

from samebits import _library as library
from samebits.array import Recording, hash_array


class ArrayTest(unittest.TestCase):
    def test_strides_and_types(self):
        x = numpy.arange(24000, dtype=numpy.float64).reshape(20, 30, 40)
        for kind in ("float32", "float64", "float16", "int8", "uint64", "complex64", "bool"):
            y = x.astype(kind)
            for view in (y, y.T, y[::-1], y[::3, 1::2], y[:, 0], y[:0], y[3, 4, 5], numpy.broadcast_to(y[0], (5, 30, 40))):
                self.assertEqual(hash_array(view), hash_array(numpy.ascontiguousarray(view)), (kind, view.strides))

    def test_other_byte_order(self):
        x = numpy.arange(10, dtype="<f4")
        self.assertEqual(hash_array(x), hash_array(x.astype(">f4")))

    def test_no_numbers(self):
        with self.assertRaises(TypeError):
            hash_array(numpy.array(["a"], dtype=object))

    def test_a_training(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.h5")
            w, buffer = numpy.zeros(3, numpy.float32), numpy.zeros(3, numpy.float32)
            with Recording(path, config={"rate": 0.5}) as run:
                run.start(weights={"w": w})
                for k in range(3):
                    buffer[:] = k
                    run.batch(x=buffer)
                    self.assertTrue(run.unchanged())
                    if k == 1:
                        buffer[0] = 9
                        self.assertFalse(run.unchanged("x"))
                    w = w - 0.5 * buffer
                    run.gradient(w=buffer)
                    run.weights(w=w)
                    run.update(float(w.sum()), norm=1.0)
            again = library.Recording(path, "test", resume=True)
            self.assertEqual(again.last(), 3)
            again.close(True)


if __name__ == "__main__":
    unittest.main()
