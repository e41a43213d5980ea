# behind a flag, a constant of the environment, or a value from the command line

import argparse
import os

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--debug", action="store_true")
args = parser.parse_args()
torch.autograd.set_detect_anomaly(args.debug)
if os.environ.get("ANOMALY"):
    torch.autograd.set_detect_anomaly(True)
if args.debug:
    torch.cuda.memory._record_memory_history()
