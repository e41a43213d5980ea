# a flag chooses the precision

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--double", action="store_true")
args = parser.parse_args()
if args.double:
    torch.set_default_dtype(torch.float64)
model = torch.nn.Linear(3, 3).to("cuda")
if args.double:
    model.double()
