from engine_pretrain import train_one_epoch
import utils.misc as misc
from utils.lr import adjust
import models_mae
import torch
from torch.utils.data import DataLoader
import torchvision


def main(args):
    misc.init_distributed_mode(args)
    device = torch.device(args.device)
    ds = torchvision.datasets.ImageFolder(args.data)
    sampler = torch.utils.data.DistributedSampler(ds)
    dl = DataLoader(ds, sampler=sampler, batch_size=args.bs, num_workers=args.nw, pin_memory=True, drop_last=True)
    model = models_mae.mae().to(device)
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[args.gpu])
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = misc.Scaler()
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        train_one_epoch(model, dl, opt, device, epoch, scaler, args)
