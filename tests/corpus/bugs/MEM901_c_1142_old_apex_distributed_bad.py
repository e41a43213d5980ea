"""Apex O1 training of 2019, optional import."""
import argparse

import torch
import torch.nn.functional as F

try:
    from apex import amp
    from apex.parallel import convert_syncbn_model
    HAS_APEX = True
except ImportError:
    HAS_APEX = False


def train(args, model, optimizer, loader):
    model.train()
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        if args.fp16:
            with amp.scale_loss(loss, optimizer) as scaled_loss:  #! MEM901
                scaled_loss.backward()
            torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)
        else:
            loss.backward()
        optimizer.step()


def main(model, loader):
    p = argparse.ArgumentParser()
    p.add_argument("--fp16", action="store_true")
    p.add_argument("--opt-level", default="O1")
    args = p.parse_args()
    optimizer = torch.optim.SGD(model.cuda().parameters(), 0.1)
    if args.fp16:
        model, optimizer = amp.initialize(model, optimizer, opt_level=args.opt_level)  #= MEM901
    train(args, model, optimizer, loader)
