import sys

import soundfile
import torch

from measures.losses import LearnedMeasure, SmoothedMeasure

learned = LearnedMeasure()
learned.load_state_dict(torch.load("measure.pt", map_location="cpu"))
smoothed = SmoothedMeasure()
smoothed.load_state_dict(torch.load("measure.pt", map_location="cpu"))


def score(pairs):
    for clean, noisy in pairs:
        a, b = (torch.from_numpy(soundfile.read(path)[0]).float() for path in (clean, noisy))
        print(clean, float(learned(a, b)))  #! MEM201


def smoothed_score(pairs):
    for clean, noisy in pairs:
        a, b = (torch.from_numpy(soundfile.read(path)[0]).float() for path in (clean, noisy))
        print(clean, float(smoothed(a, b)))  #! MEM201


if __name__ == "__main__":
    pairs = list(zip(sys.argv[1::2], sys.argv[2::2]))
    score(pairs)
    smoothed_score(pairs)
