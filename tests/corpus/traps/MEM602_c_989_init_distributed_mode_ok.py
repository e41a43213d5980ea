import os

import torch
import torch.distributed as dist


def init_distributed_mode(args):
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        args.rank = int(os.environ["RANK"])
        args.world_size = int(os.environ["WORLD_SIZE"])
        args.gpu = int(os.environ["LOCAL_RANK"])
    elif "SLURM_PROCID" in os.environ:
        args.rank = int(os.environ["SLURM_PROCID"])
        args.gpu = args.rank % torch.cuda.device_count()
    else:
        args.distributed = False
        return
    args.distributed = True
    torch.cuda.set_device(args.gpu)
    dist.init_process_group(backend="nccl", init_method=args.dist_url, world_size=args.world_size, rank=args.rank)
    dist.barrier()


def main(args, model, loader):
    init_distributed_mode(args)
    device = torch.device(args.device)
    model.to(device)
    net = model
    if args.distributed:
        net = torch.nn.parallel.DistributedDataParallel(model, device_ids=[args.gpu], gradient_as_bucket_view=True)
        model = net.module
    if args.resume:
        ck = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(ck["model"])
        args.start_epoch = ck["epoch"] + 1
        del ck
    opt = torch.optim.AdamW(net.parameters())
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(net(x.to(device, non_blocking=True)), y.to(device, non_blocking=True))
        opt.zero_grad()
        loss.backward()
        opt.step()


def cpu_main(rank, ws, model):
    dist.init_process_group("gloo", rank=rank, world_size=ws)
    m = torch.nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True)
    print(m)
