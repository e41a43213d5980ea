import higher
import torch
import torch.nn as nn
import torch.nn.functional as F


def conv_block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3), nn.BatchNorm2d(o, momentum=1, affine=True), nn.ReLU(), nn.MaxPool2d(2))


def build():
    return nn.Sequential(conv_block(1, 64), conv_block(64, 64), nn.Flatten(), nn.LazyLinear(5))


def train(db, net, meta_opt, epoch, log):
    net.train()
    n_train_iter = db.x_train.shape[0] // db.batchsz
    for batch_idx in range(n_train_iter):
        x_spt, y_spt, x_qry, y_qry = db.next()
        task_num = x_spt.size(0)
        inner_opt = torch.optim.SGD(net.parameters(), lr=1e-1)
        qry_losses, qry_accs = [], []
        meta_opt.zero_grad()
        for i in range(task_num):
            with higher.innerloop_ctx(net, inner_opt, copy_initial_weights=False) as (fnet, diffopt):
                for _ in range(5):
                    spt_loss = F.cross_entropy(fnet(x_spt[i]), y_spt[i])
                    diffopt.step(spt_loss)
                qry_logits = fnet(x_qry[i])
                qry_loss = F.cross_entropy(qry_logits, y_qry[i])
                qry_accs.append((qry_logits.argmax(dim=1) == y_qry[i]).float().mean().item())
                qry_loss.backward()
                qry_losses.append(qry_loss.detach())
        meta_opt.step()
        log.append({"epoch": epoch + batch_idx / n_train_iter, "loss": qry_loss, "acc": sum(qry_accs) / task_num})  #! MEM102


def main(db):
    net = build().cuda()
    meta_opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    log = []
    for epoch in range(100):
        train(db, net, meta_opt, epoch, log)
