import torch
from torch.utils.data import DataLoader

from configs.base import Config
from segkit import Trainer, build_model


def main():
    cfg = Config()
    data = [DataLoader(torch.load(f"{s}.pt"), cfg.batch_size, shuffle=s == "train") for s in ("train", "val")]
    Trainer(build_model(cfg, 21), data, cfg).train()


if __name__ == "__main__":
    main()
