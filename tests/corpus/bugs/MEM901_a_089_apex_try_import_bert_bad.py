import logging
import torch
from torch.nn.utils import clip_grad_norm_
from tqdm import tqdm, trange

logger = logging.getLogger(__name__)


def train(args, model, loader, optimizer, scheduler):
    if args.fp16:
        try:
            from apex import amp
        except ImportError:
            raise ImportError("Please install apex to use fp16 training.")
        model, optimizer = amp.initialize(model, optimizer, opt_level=args.fp16_opt_level)  #? MEM901
    tr_loss, step_count = 0.0, 0
    model.zero_grad()
    for _ in trange(args.num_train_epochs, desc="Epoch"):
        for step, batch in enumerate(tqdm(loader, desc="Iteration")):
            model.train()
            batch = tuple(t.to(args.device) for t in batch)
            loss = model(*batch)[0]
            if args.fp16:
                with amp.scale_loss(loss, optimizer) as scaled_loss:  #! MEM901
                    scaled_loss.backward()
                clip_grad_norm_(amp.master_params(optimizer), args.max_grad_norm)
            else:
                loss.backward()
                clip_grad_norm_(model.parameters(), args.max_grad_norm)
            tr_loss += loss.item()
            optimizer.step()
            scheduler.step()
            model.zero_grad()
            step_count += 1
    logger.info("loss %.4f", tr_loss / step_count)
