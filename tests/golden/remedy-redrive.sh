#!/bin/sh
# Look at it, then run it. It sends messages again; it takes none away that is not sent.
# 1 more are obsolete: their work was done. Drop them; a queue that holds one is not moved.
# queue payments.dlq: 1 of 5 may be sent again
bundle exec ruby -r ./config/environment.rb -r sidekiq/api -e 'ARGV.each { |jid| job = Sidekiq::DeadSet.new.find_job(jid); job ? job.retry : warn(jid + ": not in the dead set") }' -- job-30348
