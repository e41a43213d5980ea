"""src layout, cfg dict, registry."""
import argparse
import torch
from src.registry import MODELS, DATASETS
from src.data import build_loaders
from src.solver import Solver
import src.models  # noqa: F401


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--model", default="mlp")
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--resume")
    return p.parse_args()


def main():
    args = parse()
    train_loader, val_loader = build_loaders(args)
    model = MODELS[args.model](10).cuda()
    solver = Solver(model, train_loader, val_loader, args)
    if args.resume:
        solver.load(args.resume)
    solver.run()


if __name__ == "__main__":
    main()
