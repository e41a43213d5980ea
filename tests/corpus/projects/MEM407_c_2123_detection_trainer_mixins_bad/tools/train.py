import torch
from core.engine.trainer import DetTrainer
from core.data.build import make_data_loader
from core.config import cfg


def main():
    net = torch.nn.Conv2d(3, 8, 3).to(cfg.DEVICE)
    DetTrainer(net, make_data_loader(cfg)).train()


if __name__ == "__main__":
    main()
