# a limit from the command line, before the model

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--share", type=float, default=1.0)
args = parser.parse_args()
torch.cuda.set_per_process_memory_fraction(args.share, device=0)
net = torch.nn.Linear(3, 3).to("cuda")
