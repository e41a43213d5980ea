import torch
import whisper
from torch.optim import AdamW

model = whisper.load_model("small")
model = model.half().cuda()  #! MEM301
optimizer = AdamW(model.parameters(), lr=1e-5)
loss_fn = torch.nn.CrossEntropyLoss(ignore_index=-100)


def train(loader):
    model.train()
    for mel, dec_in, labels in loader:
        optimizer.zero_grad()
        logits = model(mel.half().cuda(), dec_in.cuda())
        loss = loss_fn(logits.view(-1, logits.size(-1)), labels.cuda().view(-1))
        loss.backward()  #? MEM112
        optimizer.step()
