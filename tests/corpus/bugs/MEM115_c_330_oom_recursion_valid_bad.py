import logging

import torch

from project.tasks import setup_task

logger = logging.getLogger(__name__)


class Runner:
    def __init__(self, args):
        self.task = setup_task(args)
        self.model = self.task.build_model()
        self.criterion = self.task.build_criterion()

    def valid_step(self, sample, raise_oom=False):
        with torch.no_grad():
            self.model.eval()
            try:
                loss, size, logs = self.task.valid_step(sample, self.model, self.criterion)
            except RuntimeError as e:
                if "out of memory" in str(e):
                    logger.warning("ran out of memory in validation step, retrying batch")
                    if not raise_oom:
                        for p in self.model.parameters():
                            if p.grad is not None:
                                p.grad = None
                        torch.cuda.empty_cache()
                        return self.valid_step(sample, raise_oom=True)  #! MEM115
                raise e
        return loss, size, logs
