import time
import torch
import torch.nn as nn
from torch.autograd import Variable


def trainIters(encoder, decoder, batches, n_iters, print_every=1000, learning_rate=0.01):
    start = time.time()
    print_loss_total = 0
    opt = torch.optim.SGD(list(encoder.parameters()) + list(decoder.parameters()), lr=learning_rate)
    criterion = nn.NLLLoss()
    for it in range(1, n_iters + 1):
        src, tgt = next(batches)
        src, tgt = Variable(src), Variable(tgt)
        opt.zero_grad()
        out = decoder(encoder(src), tgt)
        loss = criterion(out, tgt.view(-1))
        loss.backward()
        opt.step()
        print_loss_total += loss.data[0]  #! MEM902
        if it % print_every == 0:
            print('%ds (%d %d%%) %.4f' % (time.time() - start, it, it / n_iters * 100, print_loss_total / print_every))
            print_loss_total = 0
