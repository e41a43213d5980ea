import argparse
import deepspeed
import torch
from nets import build
from step import train_step


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--local_rank", type=int, default=-1)
    p = deepspeed.add_config_arguments(p)
    a = p.parse_args()
    deepspeed.init_distributed()
    net = build()
    engine, opt, loader, _ = deepspeed.initialize(args=a, model=net, model_parameters=net.parameters(), training_data=torch.load("d.pt"))
    for e in range(3):
        for x, y in loader:
            print(train_step(engine, x, y))
        engine.save_checkpoint("ck", e)


if __name__ == "__main__":
    main()
