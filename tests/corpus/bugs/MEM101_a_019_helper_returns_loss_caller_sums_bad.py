import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def train_batch(batch, model, optimizer, criterion, clip=5.0):
    src, trg = batch
    optimizer.zero_grad()
    output = model(src, trg)
    output = output[1:].view(-1, output.shape[-1])
    loss = criterion(output, trg[1:].view(-1))
    loss.backward()
    clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss


def train(model, iterator, optimizer, criterion):
    model.train()
    epoch_loss = 0
    for batch in iterator:
        epoch_loss += train_batch(batch, model, optimizer, criterion)  #! MEM101
    return epoch_loss / len(iterator)


def main(model, train_iterator, pad_idx, n_epochs=10):
    optimizer = torch.optim.Adam(model.parameters())
    criterion = nn.CrossEntropyLoss(ignore_index=pad_idx)
    for epoch in range(n_epochs):
        train_loss = train(model, train_iterator, optimizer, criterion)
        print(f'Epoch: {epoch + 1:02} | Train Loss: {train_loss:.3f}')
