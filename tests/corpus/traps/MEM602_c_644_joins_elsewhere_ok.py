import torch
from torch.nn.parallel import DistributedDataParallel

import utils


def main(args):
    utils.init_distributed_mode(args)
    device = torch.device(args.device)
    model = torch.nn.Linear(4, 4).to(device).cuda()
    if args.distributed:
        model = DistributedDataParallel(model, device_ids=[args.gpu])
    print(model)
