"""602: devices set in ways of their own."""
import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class Args:
    pass


def init(args):
    if "RANK" in os.environ:
        args.rank, args.gpu = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    else:
        args.distributed = False
        return
    args.distributed = True
    torch.cuda.set_device(args.gpu)
    dist.init_process_group("nccl", rank=args.rank)
    dist.barrier()


def main():
    args = Args()
    init(args)
    device = torch.device("cuda")
    model = torch.nn.Linear(3, 3).to(device)
    if args.distributed:
        model = DDP(model, device_ids=[args.gpu], gradient_as_bucket_view=True)
    opt = torch.optim.SGD(model.parameters(), 0.1)
    state = torch.load("x.pt", map_location="cpu")
    model.load_state_dict(state)
    del state
    for _ in range(10):
        opt.zero_grad()
        model(torch.randn(2, 3, device="cuda")).sum().backward()
        opt.step()


main()
