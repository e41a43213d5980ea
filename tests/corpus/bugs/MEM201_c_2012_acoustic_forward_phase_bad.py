# One entry point for the three phases of an acoustic model, chosen by a word of the configuration.
import configparser

import torch
import torch.nn as nn

config = configparser.ConfigParser()
config.read_dict({"exp": {"lr": "0.08", "chunks": "3", "batch": "16"}})


def run_nn(phase, net, optimizer, chunk, batch, cost):
    loss_sum, err_sum, n = 0, 0, 0
    if phase == "train":
        net.train()
    else:
        net.eval()
    for start in range(0, len(chunk), batch):
        inp = chunk[start:start + batch]
        lab = (inp[:, :5].sum(1) > 0).long()
        if phase == "train":
            out = net(inp)
            loss = cost(out, lab)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        else:
            out = net(inp)  #! MEM201
            loss = cost(out, lab)
        loss_sum += loss.detach()
        err_sum += (out.argmax(1) != lab).float().mean().item()
        n += 1
    return loss_sum / n, err_sum / n


def main():
    exp = config["exp"]
    net = nn.Sequential(nn.Linear(40, 256), nn.ReLU(), nn.BatchNorm1d(256), nn.Linear(256, 2))
    optimizer = torch.optim.RMSprop(net.parameters(), lr=exp.getfloat("lr"))
    cost = nn.CrossEntropyLoss()
    for ck in range(exp.getint("chunks")):
        tr_loss, tr_err = run_nn("train", net, optimizer, torch.randn(320, 40), exp.getint("batch"), cost)
        dev_loss, dev_err = run_nn("valid", net, optimizer, torch.randn(160, 40), exp.getint("batch"), cost)
        print("ck %d tr %.3f/%.3f dev %.3f/%.3f" % (ck, tr_loss, tr_err, dev_loss, dev_err))


main()
