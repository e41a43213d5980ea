import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.amp import GradScaler, autocast
from transformers import BertModel


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel.from_pretrained("bert-base-uncased")
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(768, 4)

    def forward(self, ids, mask):
        return self.out(self.drop(self.bert(ids, attention_mask=mask).pooler_output))


def head_only(loader):
    clf = Classifier().cuda()
    opt = torch.optim.Adam(clf.out.parameters(), lr=1e-3)  #! MEM205
    for ids, mask, y in loader:
        opt.zero_grad()
        F.cross_entropy(clf(ids.cuda(), mask.cuda()), y.cuda()).backward()
        opt.step()


def scaler_step_without_scale(loader):
    net = nn.Linear(32, 2).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    scaler = GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        with autocast("cuda"):
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
        loss.backward()  #! MEM303
        scaler.step(opt)
        scaler.update()


def unscaled_norm(loader):
    net = nn.Linear(32, 2).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    scaler = GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        with autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        nn.utils.clip_grad_value_(net.parameters(), 0.5)  #! MEM303
        scaler.step(opt)
        scaler.update()


def default_dtype(loader):
    torch.set_default_dtype(torch.float64)  #! MEM304
    net = nn.Sequential(nn.Linear(32, 512), nn.Tanh(), nn.Linear(512, 2)).to("cuda")
    opt = torch.optim.Adam(net.parameters())
    for x, y in loader:
        opt.zero_grad()
        F.cross_entropy(net(x.to("cuda")), y.to("cuda")).backward()
        opt.step()


def halved_by_type(loader):
    net = nn.Sequential(nn.Linear(32, 512), nn.Tanh(), nn.Linear(512, 2)).cuda()
    net.type(torch.float16)  #! MEM301
    opt = torch.optim.RMSprop(net.parameters())
    for x, y in loader:
        opt.zero_grad()
        F.cross_entropy(net(x.cuda().half()), y.cuda()).backward()
        opt.step()


def adversarial_autoencoder(loader):
    enc, dec, dis = nn.Linear(784, 16).cuda(), nn.Linear(16, 784).cuda(), nn.Linear(16, 1).cuda()
    ae = torch.optim.Adam([*enc.parameters(), *dec.parameters()], 1e-3)
    do = torch.optim.Adam(dis.parameters(), 1e-4)
    for x in loader:
        x = x.cuda()
        z = enc(x)
        rec = F.mse_loss(dec(z), x)
        ae.zero_grad()  #? MEM122
        rec.backward()
        ae.step()
        do.zero_grad()
        fake = enc(x)
        d = dis(fake)  #! MEM204
        r = dis(torch.randn(len(x), 16, device="cuda"))
        (F.softplus(d).mean() + F.softplus(-r).mean()).backward()
        do.step()


def run(loader):
    for f in (head_only, scaler_step_without_scale, unscaled_norm, halved_by_type, adversarial_autoencoder, default_dtype):
        f(loader)
