# the same file is mapped where a device is known: the author made a choice

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--resume")
parser.add_argument("--gpu", type=int)
args = parser.parse_args()
model = torch.nn.Linear(3, 3).cuda(args.gpu)
if args.gpu is None:
    checkpoint = torch.load(args.resume)
else:
    checkpoint = torch.load(args.resume, map_location=f"cuda:{args.gpu}")
model.load_state_dict(checkpoint["state_dict"])
