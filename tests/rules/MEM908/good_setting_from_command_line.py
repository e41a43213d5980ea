# a setting from the command line

import argparse

import torch

args = argparse.Namespace()
args.require_grad = False
net = torch.nn.Linear(2, 2).requires_grad_(args is None)
