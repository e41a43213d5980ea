# `optimizer_s` is one optimizer, not several

import torch


def train(student, generator, optimizer_s, optimizer_g, batches, criterion):
    for noise, target in batches:
        fake = generator(noise)
        loss_s = criterion(student(fake.detach()), target)
        loss_s.backward()  #! MEM121
        optimizer_s.step()
        optimizer_g.zero_grad()
        (-student(generator(noise)).mean()).backward()
        optimizer_g.step()
