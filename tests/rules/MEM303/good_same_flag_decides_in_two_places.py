# the same flag decides in two places

import torch


def train(net, opt, batches, use_amp, scaler):
    for x in batches:
        with torch.autocast("cuda", enabled=use_amp):
            loss = net(x).mean()
        opt.zero_grad()
        if use_amp:
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
        else:
            loss.backward()
        torch.nn.utils.clip_grad_value_(net.parameters(), 1.0)
        if use_amp:
            scaler.step(opt)
            scaler.update()
        else:
            opt.step()


net = torch.nn.Linear(6, 2).cuda()
train(net, torch.optim.SGD(net.parameters(), lr=0.1), torch.randn(9, 4, 6).cuda(), True, torch.amp.GradScaler())
