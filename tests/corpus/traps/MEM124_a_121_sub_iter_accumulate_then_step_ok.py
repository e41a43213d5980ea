import torch


def train(model, data_iter, optimizer, criterion, config):
    for it in range(config.max_iter):
        optimizer.zero_grad()
        batch_loss = 0
        for sub_iter in range(config.iter_size):
            coords, feats, target = next(data_iter)
            out = model(feats.cuda(), coords)
            loss = criterion(out, target.cuda()) / config.iter_size
            batch_loss += loss.item()
            loss.backward()
        optimizer.step()
        if it % config.stat_freq == 0:
            print(it, batch_loss)
