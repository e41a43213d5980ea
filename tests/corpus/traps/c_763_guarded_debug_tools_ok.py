import argparse
import contextlib
import os

import torch
from torch.autograd import detect_anomaly

ap = argparse.ArgumentParser()
ap.add_argument("--detect-anomaly", action="store_true")
ap.add_argument("--profile-steps", type=int, default=0)
FLAGS = ap.parse_args()

if os.environ.get("NAN_HUNT"):
    torch.autograd.set_detect_anomaly(True)
torch.autograd.set_detect_anomaly(FLAGS.detect_anomaly)


def guard(i):
    return detect_anomaly() if FLAGS.detect_anomaly and i < 10 else contextlib.nullcontext()


def train(net, loader, opt, crit):
    prof = None
    if FLAGS.profile_steps:
        prof = torch.profiler.profile(record_shapes=True)
        prof.start()
    for i, (x, y) in enumerate(loader):
        with guard(i):
            opt.zero_grad()
            loss = crit(net(x), y)
            loss.backward()
            opt.step()
        if prof is not None and i == FLAGS.profile_steps:
            prof.stop()
            print(prof.key_averages().table())
            prof = None
