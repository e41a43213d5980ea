import logging
import torch
from torch.nn.utils import clip_grad_norm_
from tqdm import tqdm, trange

logger = logging.getLogger(__name__)


def train(args, model, loader, optimizer, scheduler):
    scaler = torch.amp.GradScaler("cuda", enabled=args.fp16)
    tr_loss, step_count = 0.0, 0
    model.zero_grad()
    for _ in trange(args.num_train_epochs, desc="Epoch"):
        for step, batch in enumerate(tqdm(loader, desc="Iteration")):
            model.train()
            batch = tuple(t.to(args.device) for t in batch)
            with torch.autocast("cuda", enabled=args.fp16):
                loss = model(*batch)[0]
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            clip_grad_norm_(model.parameters(), args.max_grad_norm)
            tr_loss += loss.item()
            scaler.step(optimizer)
            scaler.update()
            scheduler.step()
            model.zero_grad()
            step_count += 1
    logger.info("loss %.4f", tr_loss / step_count)
