# the option for the device has the CPU as its default, and nothing else is named

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
args = parser.parse_args()
model = torch.nn.Linear(3, 3).to(args.device)
model.load_state_dict(torch.load("weights.pt"))
