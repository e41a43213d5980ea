import argparse
import os

import torch
import torch.nn as nn

ap = argparse.ArgumentParser()
ap.add_argument("--detect-anomaly", action="store_true")
ap.add_argument("--profile", action="store_true")
args = ap.parse_args()
torch.autograd.set_detect_anomaly(args.detect_anomaly)
if os.environ.get("MEM_SNAPSHOT"):
    torch.cuda.memory._record_memory_history(max_entries=100_000)


def on_trace_ready(p):
    print(p.key_averages().table(row_limit=5))


def train(net, loader, opt):
    prof = torch.profiler.profile(
        schedule=torch.profiler.schedule(wait=2, warmup=2, active=6), on_trace_ready=on_trace_ready
    ) if args.profile else None
    if prof:
        prof.start()
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        with torch.autograd.set_detect_anomaly(i == 100):
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
        opt.step()
        if prof:
            prof.step()
    if prof:
        prof.stop()


def find_nan(net, x, y):
    with torch.autograd.detect_anomaly():
        nn.functional.mse_loss(net(x), y).backward()


def snapshot(step, x):
    torch.cuda.memory._record_memory_history(max_entries=100000)
    step(x)
    torch.cuda.memory._dump_snapshot("s.pickle")
    torch.cuda.memory._record_memory_history(enabled=None)
