# what decides on unscale_ and update is a flag; another backward stands between the two steps

import torch


def train(model, optimizer, loader, clip, amp):
    scaler = torch.amp.GradScaler("cuda", enabled=amp)
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16, enabled=amp):
            loss = model(x.cuda()).mean()
        scaler.scale(loss).backward()
        if clip:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        if amp:
            scaler.update()


def train_in_two_steps(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x.cuda()).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        model.weight.square().sum().backward()
        optimizer.step()


def train_with_options(model, optimizer, loader, args):
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x.cuda()).mean()
        scaler.scale(loss).backward()
        if args["fp16"]:
            scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if args["fp16"]:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def train_with_a_question(model, optimizer, loader, in_half):
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x.cuda()).mean()
        scaler.scale(loss).backward()
        if in_half(model):
            scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if in_half(model):
            scaler.step(optimizer)
            scaler.update()
