# Whoever starts the script knows the machine.

import argparse

from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=40)
args = parser.parse_args()


def loader(rows):
    return DataLoader(rows, batch_size=64, num_workers=args.workers, prefetch_factor=2)
