"""DeepSpeed: engine checkpoints, device by the launcher."""
import argparse

import deepspeed
import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--local_rank", type=int, default=-1)
    p.add_argument("--resume")
    p = deepspeed.add_config_arguments(p)
    args = p.parse_args()
    deepspeed.init_distributed()
    torch.cuda.set_device(args.local_rank)
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Linear(64, 1))
    engine, opt, _, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters())
    if args.resume:
        _, state = engine.load_checkpoint(args.resume)
        step = state["step"]
    else:
        step = 0
    ds = TensorDataset(torch.randn(1000, 64), torch.randn(1000, 1))
    dl = DataLoader(ds, 16, sampler=DistributedSampler(ds))
    for epoch in range(10):
        for x, y in dl:
            loss = (engine(x.to(engine.device)) - y.to(engine.device)).pow(2).mean()
            engine.backward(loss)
            engine.step()
            step += 1
        engine.save_checkpoint("out", client_state={"step": step})
        deepspeed.accelerator.get_accelerator().empty_cache()


if __name__ == "__main__":
    main()
