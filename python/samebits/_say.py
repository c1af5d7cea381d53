"""What is said to the user: one line each on stderr."""
import sys


def say(sentence):
    print(f"samebits: {sentence}", file=sys.stderr, flush=True)


def size_text(shape):
    return "[" + ", ".join(str(n) for n in shape) + "]"
