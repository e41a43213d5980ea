# one of two step functions updates for both; a helper updates after each batch; the steps of one batch share an update

import torch
from torch import nn


def step_critic(critic, real, fake, opt, scaler):
    opt.zero_grad()
    with torch.autocast("cuda"):
        loss = critic(fake.detach()).mean() - critic(real).mean()
    scaler.scale(loss).backward()
    scaler.step(opt)


def step_generator(critic, fake, opt, scaler):
    opt.zero_grad()
    with torch.autocast("cuda"):
        loss = -critic(fake).mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()


def finish(scaler, schedule):
    scaler.update()
    schedule.step()


def train(net, loader, opt, scaler, schedule):
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda"):
            loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.step(opt)
        finish(scaler, schedule)
