"""Launchers that set the device, or ranks without GPUs."""
import os

import deepspeed
import torch
import torch.distributed as dist
from accelerate import Accelerator, PartialState
from torch.nn.parallel import DistributedDataParallel as DDP


def with_accelerate(net, data):
    acc = Accelerator()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    net, opt, data = acc.prepare(net, opt, data)
    for x in data:
        opt.zero_grad()
        acc.backward(net(x.cuda()).mean())
        opt.step()
    print(PartialState().device, int(os.environ["LOCAL_RANK"]))


def with_deepspeed(net, data, cfg):
    deepspeed.init_distributed()
    engine, _, _, _ = deepspeed.initialize(model=net, config=cfg, model_parameters=net.parameters())
    for x in data:
        loss = engine(x.to(engine.device)).mean()
        engine.backward(loss)
        engine.step()


def with_gloo(net, data):
    dist.init_process_group("gloo")
    net = DDP(net, gradient_as_bucket_view=True)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for x in data:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()


def by_context(net, data):
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(f"cuda:{local}")
    net = DDP(net.cuda(), device_ids=[local], gradient_as_bucket_view=True)
    for x in data:
        net(x.cuda()).mean().backward()


def by_accelerator_api(net):
    torch.accelerator.set_device_index(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    return DDP(net.to("cuda"), gradient_as_bucket_view=True)
