import torch
import torch.nn as nn
import math


def train_ctc(model, loader, optimizer, num_epochs, device, logger):
    ctc = nn.CTCLoss(blank=0, zero_infinity=False)
    for epoch in range(num_epochs):
        model.train()
        cumulative = 0.0
        for i, (spec, spec_len, text, text_len) in enumerate(loader):
            log_probs = model(spec.to(device)).log_softmax(2).transpose(0, 1)
            loss = ctc(log_probs, text.to(device), spec_len, text_len)
            cumulative = cumulative + loss.item()
            if math.isinf(loss.item()) or math.isnan(loss.item()):
                logger.warning("skipping batch %d", i)
                continue
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 400)
            optimizer.step()
        logger.info("epoch %d loss %.4f", epoch, float(cumulative) / len(loader))
