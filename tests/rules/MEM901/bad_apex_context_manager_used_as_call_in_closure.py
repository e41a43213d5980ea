# Apex's context manager used as a call, in a closure and a while loop

import apex
import torch


def fit(net, opt, source):
    def backward(loss):
        apex.amp.scale_loss(loss, opt).backward()  #! MEM901 error

    step = 0
    while step < 100:
        loss = net(source()).abs().mean()
        opt.zero_grad()
        backward(loss)
        opt.step()
        step += 1
