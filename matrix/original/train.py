"""Run the study's own program on a CPU, as it was released or with the target copied, and record its training.

    python3 train.py DATA.h5 SEED CONDITION UPDATES FOLDER OUT.h5

ORIGINAL names the folder of the program (docs/original-program.md). The program is copied to FOLDER, reads its images from
there, and writes its log there. Its own numbers are what it prints: the loss of the last frame of each window."""
import hashlib
import os
import runpy
import sys
import warnings

import h5py
import numpy
from PIL import Image

data, seed, condition, updates, folder, path = sys.argv[1:]
DIGESTS = {"main.py": "faf5369dd2dfe2eee77a45e7ad05fd9e603900fa8767a4a3e5a5f825627e5612",
           "net.py": "262f5d8f508d0b7bce4fc71f4600c02f36ce04236578283c957c6838cf643d6e"}
CHANGES = {"main.py": [("args.size[1]) / 2", "args.size[1]) // 2"), ("args.size[0]) / 2", "args.size[0]) // 2")],  # Python 3
           "net.py": [("w = w / 2", "w = w // 2"), ("h = h / 2", "h = h // 2")]}
if condition != "released":
    CHANGES["main.py"].append(("xp.asarray(y_batch)", "xp.array(y_batch)"))


def copy_program():
    for name, changes in CHANGES.items():
        source = os.path.join(os.environ.get("ORIGINAL", ""), "PredNet", name)
        with open(source, "rb") as file:
            text = file.read()
        if hashlib.sha256(text).hexdigest() != DIGESTS[name]:
            sys.exit(f"{source}: not the released program; revision a2dfc16 is needed")
        text = text.decode()
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def write_images():
    """The frames as PNG, a list of images for each sequence, and the list of lists. The width and height of a frame."""
    with h5py.File(data) as file:
        frames, sequence = file["frames"][:], list(file["sequence"][:])
    names = []
    for begin, end in zip(sequence, sequence[1:] + [len(frames)]):
        images = [f"frame_{i:05}.png" for i in range(begin, end)]
        for i, name in zip(range(begin, end), images):
            Image.fromarray(frames[i]).save(os.path.join(folder, name))
        names.append(f"list_{begin:05}.txt")
        with open(os.path.join(folder, names[-1]), "w", encoding="ascii") as file:
            print(*images, sep="\n", file=file)
    with open(os.path.join(folder, "lists.txt"), "w", encoding="ascii") as file:
        print(*names, sep="\n", file=file)
    return frames.shape[2], frames.shape[1]


os.makedirs(folder, exist_ok=True)
copy_program()
width, height = write_images()
os.chdir(folder)
sys.path.insert(0, folder)
warnings.simplefilter("ignore")
import chainer  # noqa: E402

import samebits.chainer  # noqa: E402

numpy.random.seed(int(seed))
update, run, printed = chainer.optimizers.Adam.update, None, []


def recorded_update(optimizer, *arguments):
    """The program's optimizer.update(), and an entry of the recording."""
    global run
    if run is None:
        run = samebits.chainer.record(optimizer.target, optimizer, path, strict=True).__enter__()
    update(optimizer, *arguments)
    printed.append(float(optimizer.target.loss.data))
    end = printed[-(int(updates) // 5):]
    run.update(printed[-1], final=sum(end) / len(end))


chainer.optimizers.Adam.update = recorded_update
sys.argv = ["main.py", "-seq", "lists.txt", "-s", f"{width},{height}", "-c", "3,8,16,32", "--period", str(20 * int(updates))]
runpy.run_path("main.py", run_name="__main__")
run.__exit__(None, None, None)
with open("log.txt", encoding="ascii") as log:
    assert [float(line.split(",")[1]) for line in log] == printed
