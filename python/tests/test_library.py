"""The library by ctypes, without any framework: recordings, wrong use, disks that fail, forks, threads."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import samebits
from samebits import _library as library


def put(recording, update, weight=b"\1" * 16):
    recording.begin(update)
    recording.hash(library.WEIGHTS, 0, weight)
    recording.end()


class LibraryTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "a.h5")

    def tearDown(self):
        self.folder.cleanup()

    def test_versions_agree(self):
        self.assertEqual(samebits.library_version(), samebits.__version__)

    def test_nothing_is_overwritten(self):
        samebits.Recording(self.path, "test").close(True)
        with self.assertRaises(samebits.Error) as raised:
            samebits.Recording(self.path, "test")
        self.assertIn("is there already", str(raised.exception))

    def test_read_only_folder(self):
        if os.geteuid() == 0:
            path = "/proc/a.h5"
        else:
            os.chmod(self.folder.name, 0o500)
            path = self.path
        with self.assertRaises(samebits.Error) as raised:
            samebits.Recording(path, "test")
        self.assertEqual(raised.exception.status, library.IO)

    def test_full_disk(self):
        """A limit on the size of files: the call says so, and the handle stays valid."""
        program = """
import resource, signal, sys
from samebits import _library as library
import samebits
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
r = samebits.Recording(sys.argv[1], "test")
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 17, resource.RLIM_INFINITY))
failed = 0
for update in range(4000):
    try:
        r.begin(update); r.hash(library.WEIGHTS, 0, bytes([1] * 16)); r.end()
    except samebits.Error as error:
        failed += 1
        assert error.status == library.IO, error
assert failed
try:
    r.close(True)
except samebits.Error as error:
    assert error.status == library.IO, error
"""
        done = subprocess.run([sys.executable, "-c", program, self.path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = samebits.Recording(self.path, "test", resume=True)
        self.assertGreater(again.last(), 100)
        again.close(True)

    def test_two_threads(self):
        """One recording each."""
        wrong = []

        def work(number):
            try:
                recording = samebits.Recording(f"{self.path}.{number}.h5", "test")
                for update in range(50):
                    put(recording, update)
                recording.close(True)
            except samebits.Error as error:
                wrong.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_message_of_a_missing_library(self):
        environment = dict(os.environ, SAMEBITS_LIBRARY="/nowhere/libsamebits.so")
        done = subprocess.run([sys.executable, "-c", "import samebits"], env=environment, capture_output=True, text=True)
        self.assertIn("SAMEBITS_LIBRARY", done.stderr)

    def test_next_to_h5py(self):
        """Another HDF5 in the process does not meet the one in the library."""
        try:
            import h5py
        except ImportError:
            self.skipTest("h5py is not installed")
        with h5py.File(self.path + ".other", "w") as file:
            file["x"] = [1, 2, 3]
            recording = samebits.Recording(self.path, "test")
            put(recording, 0)
            recording.close(True)
        with h5py.File(self.path) as file:
            self.assertEqual(list(file["chain/update"]), [0])


class TextTest(unittest.TestCase):
    def test_texts_of_any_kind(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ä\u202e.h5")
            recording = samebits.Recording(path, "a\x1b[31m\0b\nc")
            recording.setting("name", "\ud800 x" * 10000)
            recording.event("one\r\ntwo")
            recording.names(library.WEIGHTS, ["w\n", "<b>"])
            put(recording, 0)
            recording.close(True)
            self.assertTrue(pathlib.Path(path).stat().st_size)


KILLED = """
import sys, samebits
from samebits import _library as library
r = samebits.Recording(sys.argv[1], "a program", resume=True, checkpoint_seconds=0.01)
for update in range(r.last() + 1, 100000):
    r.begin(update)
    r.names(library.WEIGHTS, ["w"])
    r.hash(library.WEIGHTS, 0, bytes([update % 251 + 1] * 16))
    r.value("loss", update)
    r.end()
    if update % 50 == 0:
        print(update, flush=True)
"""


class ResumeTest(unittest.TestCase):
    setUp, tearDown = LibraryTest.setUp, LibraryTest.tearDown

    def test_killed(self):
        """Killed at random moments: what is there is a prefix of the whole, and the recording goes on after it."""
        at_random, last = random.Random(1), -1
        for _ in range(8):
            child = subprocess.Popen([sys.executable, "-c", KILLED, self.path], stdout=subprocess.PIPE)
            child.stdout.readline()
            time.sleep(at_random.uniform(0, 0.1))
            child.kill()
            child.communicate()
            r = samebits.Recording(self.path, "a program", resume=True)
            self.assertGreater(r.last(), last)
            last = r.last()
            r.begin(0)
            r.hash(library.WEIGHTS, 0, bytes([last % 251 + 1] * 16))
            self.assertEqual(r.resumed(last), [])
            r.close(False)

    def test_generators(self):
        """A generator that is not drawn from is another one in each process: no difference at a resume."""
        def begin(r, update, drawn, other):
            r.begin(update)
            for part, names in ((library.WEIGHTS, ["w"]), (library.GENERATOR, ["drawn", "other"])):
                r.names(part, names)
            r.hash(library.WEIGHTS, 0, bytes([7] * 16))
            r.hash(library.GENERATOR, 0, bytes([drawn] * 16))
            r.hash(library.GENERATOR, 1, bytes([other] * 16))

        r = samebits.Recording(self.path, "a program")
        for update in range(3):
            begin(r, update, update + 1, 9)
            r.end()
        r.close(False)
        for drawn, other, differs in ((3, 9, []), (3, 8, []), (2, 9, ["generator"])):
            r = samebits.Recording(self.path, "a program", resume=True)
            begin(r, 0, drawn, other)
            self.assertEqual(r.resumed(2), differs)
            r.close(False)


if __name__ == "__main__":
    unittest.main()
