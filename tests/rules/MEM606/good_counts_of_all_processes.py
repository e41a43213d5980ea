# numbers that processes tell each other, filtered once: no tensors, and no loop over batches


class Trial:
    def set_up(self):
        pairs = self.context.distributed.gather((self.num_validation_batches, self.batch_size))
        if self.is_chief:
            all_num_batches, sizes = zip(*pairs)
            all_num_batches = [n for n in all_num_batches if n is not None]
            if min(all_num_batches) < max(all_num_batches):
                print("the ranks have different numbers of batches", sizes)
